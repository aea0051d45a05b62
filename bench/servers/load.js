'use strict'

const net = require('node:net')
const { setTimeout: sleep } = require('node:timers/promises')
const Arrivals = require('../../tools/arrivals')
const { parseResponse } = require('../../tools/http-message')
const stayAwake = require('../../tools/stay-awake')

/**
 * Sends one request over and over on connections that stay open, and compares
 * every response with the expected one. In a closed loop each connection sends
 * the next request when it has its response. In an open loop requests arrive at
 * random, whatever the server does, and latency counts from the moment at which
 * one was due.
 */
class Load {
  /**
   * @param {{ port: number, host: string, message: Buffer, expected: { status: number, body: string }, connections: number }} settings
   *   `message` is the whole request
   */
  constructor ({ port, host, message, expected, connections }) {
    this.message = message
    this.expected = expected
    this.problem = null // the first one, in words
    this.isOpen = false
    this.rate = null // requests/s of an open loop
    this.due = [] // when each request that waits for a connection was due
    this.latencies = null // ns, while they count
    this.sockets = Array.from({ length: connections }, () => this.connect(port, host))
    this.free = [...this.sockets]
    this.arriving = Promise.resolve()
  }

  connect (port, host) {
    const socket = net.connect({ port, host, noDelay: true })
    socket.received = []
    socket.on('data', (bytes) => this.receive(socket, bytes))
    socket.on('error', (error) => { this.problem ??= error.message })
    socket.on('close', () => { this.problem ??= 'a connection was closed' })
    return socket
  }

  receive (socket, bytes) {
    socket.received.push(bytes)
    const response = parseResponse(socket.received.length === 1 ? bytes : Buffer.concat(socket.received))
    if (response === null) return
    socket.received.length = 0
    this.latencies?.push(Number(process.hrtime.bigint() - socket.due))
    const { status } = response
    const body = response.body.latin1Slice()
    if (status !== this.expected.status || body !== this.expected.body) {
      this.problem ??= `${status} ${body.slice(0, 100)} instead of ${this.expected.status} ${this.expected.body}`
    }
    this.free.push(socket)
    this.feed()
  }

  /** @param {number | null} rate requests/s of an open loop; null for a closed one */
  start (rate) {
    this.isOpen = true
    this.rate = rate
    if (rate === null) {
      this.feed()
      stayAwake(() => !this.isOpen)
      return
    }
    this.arriving = new Arrivals(rate, Math.random).run({
      isOpen: () => this.isOpen,
      arrive: (due) => this.due.push(due),
      send: () => this.feed()
    })
  }

  feed () {
    if (!this.isOpen) return
    while (this.free.length > 0 && (this.rate === null || this.due.length > 0)) {
      this.send(this.free.shift(), this.rate === null ? process.hrtime.bigint() : this.due.shift())
    }
  }

  send (socket, due) {
    socket.due = due
    socket.write(this.message)
  }

  /** From now on latencies count. */
  begin () {
    this.latencies = []
  }

  /** @returns {number[]} ns, in rising order */
  end () {
    const latencies = Float64Array.from(this.latencies).sort()
    this.latencies = null
    return latencies
  }

  /** Sends nothing any more, and waits for the last response. */
  async stop () {
    this.isOpen = false
    await this.arriving
    this.due.length = 0
    while (this.free.length < this.sockets.length && this.problem === null) await sleep(1)
    if (this.problem !== null) throw new Error(this.problem)
  }

  /** Sends the request once on each of so many connections, all at a time. */
  async burst (connections = this.sockets.length) {
    for (const socket of this.free.splice(0, connections)) this.send(socket, process.hrtime.bigint())
    await this.stop()
  }

  close () {
    for (const socket of this.sockets) socket.removeAllListeners('close').destroy()
  }
}

module.exports = Load
