'use strict'

const autocannon = require('autocannon')
const { setTimeout: sleep } = require('node:timers/promises')
const { serializeRequest } = require('../../tools/http-message')
const stayAwake = require('../../tools/stay-awake')
const { expectedOf } = require('../scenarios')
const Tally = require('./tally')

const FOREVER = 1e6 // s; autocannon stops when it is told to
const SAMPLE = 50 // ms between two samples, at which it notices

/**
 * A closed loop: every connection sends its next request when it has its
 * response, so the server always has as many requests as there are connections.
 * The connections stay open during the other target's turn.
 */
class ClosedLoop {
  /**
   * @param {{ requests: import('../scenarios/requests').LoadRequest[], answer: string }} scenario
   * @param {{ url: string, connections: number, timeout: number, keepGoing?: boolean }} settings
   *   `timeout` in s; `keepGoing` after a wrong response
   */
  constructor (scenario, { url, connections, timeout, keepGoing = false }) {
    this.timeout = timeout
    this.keepGoing = keepGoing
    this.tally = new Tally()
    this.isOpen = false
    this.free = new Map() // client -> how to send its next request, in the order in which they became free
    this.waiting = new Map() // client that waits for a response -> its request: when it was due, and the tally that counts it
    this.run = autocannon({
      url,
      connections,
      duration: FOREVER,
      timeout: FOREVER,
      sampleInt: SAMPLE,
      requests: scenario.requests.map((_, index) => ({ method: 'GET', index })),
      ...this.hooks(scenario, new URL(url).host)
    })
  }

  hooks ({ requests, answer }, host) {
    const messages = requests.map(({ headers, ...request }) =>
      serializeRequest({ ...request, headers: { Host: host, Connection: 'keep-alive', ...headers } }))
    const expected = requests.map((request) => expectedOf(request, answer, host))
    let last // the response at hand, which autocannon shows in two steps
    return {
      setupClient: (client) => {
        for (const request of client.requestIterator.requests) request.requestBuffer = messages[request.index]
        this.gate(client)
        client.on('response', (status) => {
          const { due, tally } = this.waiting.get(client)
          this.waiting.delete(client)
          tally.response(status, Number(process.hrtime.bigint() - due))
          last = { status, tally, expected: expected[client.requestIterator.currentRequest.index] }
        })
      },
      verifyBody: (body) => {
        last.tally.compare(last.status, body, last.expected)
        this.tally.problem ??= last.tally.problem
        return true
      }
    }
  }

  /** autocannon calls _doRequest after a response, and after it had to connect anew. */
  gate (client) {
    let reason = 'the connection was closed without a response'
    const send = (request) => {
      this.waiting.set(client, request)
      Object.getPrototypeOf(client)._doRequest.call(client)
    }
    client.on('connError', (error) => { reason = error.message })
    client._doRequest = () => {
      this.fail(client, reason)
      this.free.set(client, send)
      this.feed()
    }
  }

  fail (client, reason) {
    const lost = this.waiting.get(client)
    if (!this.waiting.delete(client)) return
    lost.tally.error(reason)
    this.tally.problem ??= reason
  }

  /** Gives requests to the connections that are free. */
  feed () {
    if (!this.isOpen) return
    for (const send of this.take()) send(this.request(process.hrtime.bigint()))
  }

  request (due) {
    return { due, tally: this.tally }
  }

  * take () {
    for (const [client, send] of this.free) {
      this.free.delete(client)
      yield send
    }
  }

  start () {
    this.isOpen = true
    this.feed()
    stayAwake(() => !this.isOpen)
  }

  /** From now on requests count: those that are sent until `end`, whenever their responses arrive. */
  begin () {
    this.tally = new Tally()
    this.tally.begin()
  }

  /** @returns {Tally} what was counted; complete after `stop` */
  end () {
    const counted = this.tally
    counted.end(this.backlog)
    this.tally = new Tally()
    this.tally.problem = counted.problem
    return counted
  }

  /** Number of requests that are due and cannot be sent, as no connection is free. */
  get backlog () {
    return 0
  }

  /** No further requests become due; waits for the last response. */
  async stop () {
    this.isOpen = false
    const end = Date.now() + this.timeout * 1000
    while (this.waiting.size > 0 && (this.keepGoing || this.tally.problem === null)) {
      if (Date.now() > end) this.giveUp()
      await sleep(0)
    }
  }

  /** The requests without a response are errors; their connections are opened anew. */
  giveUp () {
    for (const client of [...this.waiting.keys()]) {
      this.fail(client, `no response within ${this.timeout} s`)
      client._resetConnection()
    }
  }

  async close () {
    this.run.stop()
    await this.run
  }
}

module.exports = ClosedLoop
