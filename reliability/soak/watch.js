'use strict'

// Samples of an idle server, and the faults in it.

const FAULTS = 20 // that are kept

class Watch {
  constructor () {
    this.requests = 0
    this.pending = 0 // requests whose parsers have not called `next`
    this.faults = []
    process.on('warning', ({ stack }) => this.fault(`warning: ${stack}`))
    process.on('unhandledRejection', (reason) => this.fault(`unhandled rejection: ${reason?.stack ?? reason}`))
    process.on('uncaughtException', (error) => this.fault(`uncaught exception: ${error?.stack ?? error}`))
  }

  fault (text) {
    if (this.faults.length < FAULTS) this.faults.push(text)
  }

  /**
   * @returns {object} bytes of `heap`, of `buffers` outside it and of `rss`;
   *   `handles` and `pending` requests by number; requests served; faults since
   *   the last sample
   */
  sample () {
    const { heapUsed, arrayBuffers, rss } = process.memoryUsage()
    const { requests, pending, faults } = this
    this.faults = []
    return { heap: heapUsed, buffers: arrayBuffers, rss, handles: process.getActiveResourcesInfo().length, pending, requests, faults }
  }
}

module.exports = Watch
