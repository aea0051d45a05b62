'use strict'

// What autocannon cannot send: requests that are due at random times, and bodies in chunked transfer coding.

const { setTimeout: sleep } = require('node:timers/promises')
const { serializeRequest } = require('../http-message')
const { createRandom } = require('../random')
const Talk = require('../talk')
const { differenceOf, Tally } = require('./tally')

const EARLY = 2 // ms; a timer may be late by 1 ms, so the rest is waited for in turns of the event loop

const CLOSED = 'the server closed a connection before it answered'

const turn = () => new Promise((resolve) => setImmediate(resolve))

/**
 * In an open loop requests are due at random (a Poisson process), whatever the server does, and latency counts from
 * when a request was due, so that a server that stands still cannot hide what it holds up (coordinated omission).
 */
class RawLoad {
  /** @param {{ port: number, requests: object[], connections: number, timeout?: number }} loop as of closed-loop.js */
  static async open ({ port, requests, connections, timeout = 30 }) {
    const open = Array.from({ length: connections }, () => Talk.open(port))
    return new RawLoad(await Promise.all(open), requests, timeout)
  }

  constructor (connections, requests, timeout) {
    this.connections = connections
    this.requests = requests.map(({ expected, ...request }) => ({ message: serializeRequest(request), expected }))
    this.timeout = timeout
  }

  /**
   * @param {{ amount?: number, rate?: number | null, time?: number, seed?: number }} run `amount` of requests in a
   *   closed loop; or requests/s of an open one, for so many ms
   * @returns {Promise<object>} figures as of closed-loop.js, and the requests that found no free connection (`backlog`)
   */
  async run ({ amount = 0, rate = null, time = 0, seed = 1 }) {
    Object.assign(this, { tally: new Tally(), problem: null, sent: 0, free: [...this.connections] })
    this.due = new Array(amount).fill(null) // null: when it is sent
    const began = performance.now()
    this.feed()
    const backlog = rate === null ? 0 : await this.arrive(rate, createRandom(seed), began + time)
    while (this.problem === null && this.free.length < this.connections.length) await turn()
    if (this.problem !== null) throw new Error(this.problem)
    return { ...this.tally.figures(), elapsed: (performance.now() - began) / 1000, backlog }
  }

  async arrive (rate, random, end) {
    const gap = () => -Math.log(1 - random()) * 1000 / rate
    for (let next = performance.now() + gap(); next < end && this.problem === null;) {
      for (const now = performance.now(); next <= now; next += gap()) this.due.push(next)
      this.feed()
      const ahead = next - performance.now()
      await (ahead > EARLY ? sleep(ahead - EARLY) : turn())
    }
    return this.due.splice(0).length // not an error: the server did not keep up
  }

  feed () {
    while (this.free.length > 0 && this.due.length > 0 && this.problem === null) {
      this.exchange(this.free.shift(), this.due.shift() ?? performance.now())
    }
  }

  async exchange (connection, due) {
    const { message, expected } = this.requests[this.sent++ % this.requests.length]
    connection.write(message)
    const [response] = await connection.responses(1, this.timeout * 1000)
    if (response === undefined) {
      this.problem ??= connection.closed ? CLOSED : `no response within ${this.timeout} s`
      return
    }
    this.tally.add(response.status, response.length, performance.now() - due)
    const difference = differenceOf(response.status, response.body.toString(), expected)
    if (difference !== null) this.problem ??= `a response was wrong: ${difference}`
    this.free.push(connection)
    this.feed()
  }

  close () {
    for (const connection of this.connections) connection.close()
  }
}

module.exports = RawLoad
