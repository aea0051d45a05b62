'use strict'

// The load on a server: requests over HTTP/1.1 connections that stay open, each
// response compared with what it must be.

const { EventEmitter, once } = require('node:events')
const net = require('node:net')
const { createHistogram } = require('node:perf_hooks')
const { setTimeout: sleep } = require('node:timers/promises')
const { parseResponse } = require('./http-message')

const EARLY = 2 // ms; a timer may be late by 1 ms, so the rest is waited for in turns of the event loop

/**
 * @typedef {object} LoadRequest
 * @property {Buffer} message the whole request
 * @property {{ status: number, body: string }} expected the response; its body a character per byte
 */

/**
 * Sends requests in turn. In a closed loop each connection sends its next
 * request when it has its response. In an open loop requests are due at random
 * (a Poisson process), whatever the server does, and latency counts from the
 * moment at which a request was due, so that a server that stands still cannot
 * hide the requests that it holds up (coordinated omission).
 */
class Load extends EventEmitter {
  /**
   * @param {{ port: number, host?: string, requests: LoadRequest[], connections: number, timeout?: number }} settings
   *   `timeout`: ms without a response
   * @returns {Promise<Load>} connected
   */
  static async open (settings) {
    const load = new Load(settings)
    await Promise.all(load.sockets.map((socket) => socket.connecting && once(socket, 'connect')))
    return load
  }

  constructor ({ port, host = '127.0.0.1', requests, connections, timeout = 30_000 }) {
    super()
    this.requests = requests
    this.timeout = timeout
    this.problem = null // the first one, in words
    this.sent = 0
    this.isOpen = false
    this.rate = null
    this.due = [] // when each request that waits for a connection was due
    this.tally = new Tally()
    this.sockets = Array.from({ length: connections }, () => this.connect(port, host))
    this.free = [...this.sockets]
    this.running = Promise.resolve()
  }

  connect (port, host) {
    const socket = net.connect({ port, host, noDelay: true })
    socket.received = null
    socket.on('data', (bytes) => this.receive(socket, bytes))
    socket.on('error', (error) => this.fail(error.message))
    socket.on('close', () => this.fail('the connection was closed'))
    return socket
  }

  fail (problem) {
    this.problem ??= problem
    this.emit('response')
  }

  receive (socket, bytes) {
    const all = socket.received === null ? bytes : Buffer.concat([socket.received, bytes])
    const response = parseResponse(all)
    socket.received = response === null ? all : null
    if (response === null) return
    const { expected, due, tally } = socket
    if (tally === undefined) return this.fail(`${response.status} without a request`)
    tally.add(response, process.hrtime.bigint() - due)
    const body = response.body.latin1Slice()
    if (response.status !== expected.status || body !== expected.body) {
      this.fail(`${response.status} ${brief(body)} instead of ${expected.status} ${brief(expected.body)}`)
    }
    this.free.push(socket)
    this.feed()
    this.emit('response')
  }

  /**
   * @param {{ rate?: number | null, random?: () => number }} [settings] requests/s
   *   of an open loop, null for a closed one
   */
  start ({ rate = null, random = Math.random } = {}) {
    this.isOpen = true
    this.rate = rate
    this.running = rate === null ? this.repeat() : this.arrive(rate, random)
  }

  /**
   * The core of this process must not go idle in a closed loop: a server pays
   * for waking it, on a virtual machine some microseconds for a response, and
   * the faster server pays less often.
   */
  async repeat () {
    this.feed()
    while (this.isOpen && this.problem === null) await new Promise((resolve) => setImmediate(resolve))
  }

  async arrive (rate, random) {
    const gap = () => BigInt(Math.round(-Math.log(1 - random()) * 1e9 / rate))
    let next = process.hrtime.bigint() + gap()
    while (this.isOpen && this.problem === null) {
      for (const now = process.hrtime.bigint(); next <= now; next += gap()) this.due.push(next)
      this.feed()
      const ahead = Number(next - process.hrtime.bigint()) / 1e6
      if (ahead > EARLY) await sleep(ahead - EARLY)
      else await new Promise((resolve) => setImmediate(resolve))
    }
  }

  feed () {
    while (this.isOpen && this.free.length > 0 && (this.rate === null || this.due.length > 0)) {
      this.send(this.free.shift(), this.rate === null ? process.hrtime.bigint() : this.due.shift())
    }
  }

  send (socket, due) {
    const { message, expected } = this.requests[this.sent++ % this.requests.length]
    Object.assign(socket, { due, expected, tally: this.tally })
    socket.write(message)
  }

  /** Requests that are sent from now on count ... */
  begin () {
    this.tally = new Tally()
    this.began = process.hrtime.bigint()
  }

  /**
   * ... until now.
   *
   * @returns {() => object} their figures, complete after `stop`: responses, s of
   *   time, bytes of bodies, responses by status, requests that found no free
   *   connection (`backlog`), and ms of latency
   */
  end () {
    const { tally } = this
    const elapsed = Number(process.hrtime.bigint() - this.began) / 1e9
    const backlog = this.due.length
    this.tally = new Tally()
    return () => ({ ...tally.figures(), elapsed, backlog })
  }

  /**
   * Sends no further request, and waits for the last response.
   *
   * @throws {Error} the first problem
   */
  async stop () {
    this.isOpen = false
    await this.running
    this.due.length = 0 // not an error: the backlog shows that the server did not keep up
    await this.settled()
  }

  /** Sends a request on each of this many connections, all at a time, and waits for the responses. */
  async burst (connections = this.sockets.length) {
    for (const socket of this.free.splice(0, connections)) this.send(socket, process.hrtime.bigint())
    await this.settled()
  }

  async settled () {
    const signal = AbortSignal.timeout(this.timeout)
    while (this.free.length < this.sockets.length && this.problem === null) {
      await once(this, 'response', { signal }).catch(() => { this.problem ??= `no response within ${this.timeout / 1000} s` })
    }
    if (this.problem !== null) throw new Error(this.problem)
  }

  close () {
    for (const socket of this.sockets) socket.removeAllListeners('close').destroy()
  }
}

/** Counts responses. */
class Tally {
  responses = 0
  bytes = 0
  statusCodes = {}
  latency = createHistogram() // ns

  add ({ status, body }, latency) {
    this.responses++
    this.bytes += body.length
    this.statusCodes[status] = (this.statusCodes[status] ?? 0) + 1
    this.latency.record(latency)
  }

  figures () {
    const { responses, bytes, statusCodes, latency } = this
    const at = (percentile) => latency.percentile(percentile) / 1e6
    return { responses, bytes, statusCodes, latency: { mean: latency.mean / 1e6, p50: at(50), p99: at(99) } }
  }
}

function brief (body) {
  return JSON.stringify(body.length > 60 ? `${body.slice(0, 60)}...` : body)
}

module.exports = Load
