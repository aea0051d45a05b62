'use strict'

// Samples of an idle server, and the faults in it.

const FAULTS = 20 // that are kept

class Watch {
  constructor () {
    this.requests = 0
    this.pending = 0 // requests whose parsers have not called `next`
    this.faults = []
    this.budget = null
    this.sockets = new Set()
    this.timers = timers()
    process.on('warning', ({ stack }) => this.fault(`warning: ${stack}`))
    process.on('unhandledRejection', (reason) => this.fault(`unhandled rejection: ${reason?.stack ?? reason}`))
    process.on('uncaughtException', (error) => this.fault(`uncaught exception: ${error?.stack ?? error}`))
  }

  /** @param {import('node:http').Server} server */
  follow (server) {
    server.on('connection', (socket) => {
      this.sockets.add(socket)
      socket.on('close', () => this.sockets.delete(socket))
    })
  }

  fault (text) {
    if (this.faults.length < FAULTS) this.faults.push(text)
  }

  /**
   * @returns {object} bytes of `heap`, of `buffers` outside it and of `rss`;
   *   `handles`, `pending` requests and the most `listeners` of a connection by
   *   number; bytes `held` of the budget; requests served; faults since the last
   *   sample
   */
  sample () {
    const { heapUsed, arrayBuffers, rss } = process.memoryUsage()
    const { requests, pending, faults } = this
    this.faults = []
    return { heap: heapUsed, buffers: arrayBuffers, rss, handles: process.getActiveResourcesInfo().length, pending, listeners: this.listeners(), held: this.held(), requests, faults }
  }

  listeners () {
    const counts = Array.from(this.sockets, (socket) => socket.eventNames().reduce((sum, name) => sum + socket.listenerCount(name), 0))
    return Math.max(0, ...counts)
  }

  held () {
    return this.budget === null ? 0 : this.budget.used + this.budget.waiting.size + this.budget.holding.size
  }

  /** @returns {Record<string, number>} what must be 0 once all connections are closed */
  rest () {
    return { sockets: this.sockets.size, timers: timers() - this.timers, pending: this.pending, held: this.held() }
  }
}

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length

module.exports = Watch
