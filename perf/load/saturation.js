'use strict'

const autocannon = require('autocannon')
const { setTimeout: sleep } = require('node:timers/promises')
const { serializeRequest } = require('../../tools/http-message')
const { expectedOf } = require('../scenarios')
const Tally = require('./tally')

const FOREVER = 1e6 // s; autocannon stops when it is told to
const SAMPLE = 50 // ms between two samples, at which it notices

/**
 * Sends as many requests as the server answers: every connection sends the
 * next one when it has its response. The connections stay open between the
 * slices; a gate holds their requests back during the other target's turn.
 */
class Saturation {
  /**
   * @param {import('../scenarios').Scenario} scenario
   * @param {{ url: string, connections: number, timeout: number, keepGoing?: boolean }} settings
   *   `timeout` in s; `keepGoing` after a wrong response
   */
  constructor (scenario, { url, connections, timeout, keepGoing = false }) {
    this.timeout = timeout
    this.keepGoing = keepGoing
    this.tally = new Tally()
    this.open = false
    this.held = new Map() // client -> how to send its next request, once the gate opens
    this.waiting = new Set() // clients that wait for a response
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
    let status
    let due // expected response to the one at hand, which autocannon shows in two steps
    return {
      setupClient: (client) => {
        for (const request of client.requestIterator.requests) request.requestBuffer = messages[request.index]
        this.gate(client)
        client.on('response', (code, _, milliseconds) => {
          this.waiting.delete(client)
          this.tally.response(code, Math.round(milliseconds * 1e6))
          status = code
          due = expected[client.requestIterator.currentRequest.index]
        })
      },
      verifyBody: (body) => {
        this.tally.compare(status, body, due)
        return true
      }
    }
  }

  /** autocannon calls _doRequest after a response, and after it had to connect anew. */
  gate (client) {
    let reason = 'the connection was closed without a response'
    const send = () => {
      this.waiting.add(client)
      Object.getPrototypeOf(client)._doRequest.call(client)
    }
    client.on('connError', (error) => { reason = error.message })
    client._doRequest = () => {
      if (this.waiting.delete(client)) this.tally.error(reason)
      if (this.open) send()
      else this.held.set(client, send)
    }
  }

  /**
   * One slice, up to the last response.
   *
   * @param {number} duration s
   */
  async go (duration) {
    const { tally, held, waiting } = this
    tally.begin()
    this.open = true
    for (const [client, send] of held) {
      held.delete(client)
      send()
    }
    await sleep(duration * 1000)
    this.open = false
    const end = Date.now() + this.timeout * 1000
    while (waiting.size > 0 && (this.keepGoing || tally.problem === null)) {
      if (Date.now() > end) this.giveUp()
      await sleep(0)
    }
    tally.end()
  }

  /** The requests without a response are errors; their connections are opened anew. */
  giveUp () {
    for (const client of this.waiting) {
      this.waiting.delete(client)
      this.tally.error(`no response within ${this.timeout} s`)
      client._resetConnection()
    }
  }

  async close () {
    this.run.stop()
    await this.run
  }
}

module.exports = Saturation
