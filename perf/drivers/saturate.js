'use strict'

const autocannon = require('autocannon')
const { setTimeout: sleep } = require('node:timers/promises')
const { expectedOf } = require('../scenario')
const { toBytes } = require('../wire')
const Tally = require('./tally')

const FOREVER = 1e6 // s; autocannon ends when it is told to
const SAMPLE = 50 // ms; it notices at one of these

/**
 * As many requests as the server answers: every connection sends the next one
 * when it has its answer. The connections stay open between the slices; a gate
 * holds their requests back while it is the other side's turn.
 */
class Saturation {
  /**
   * @param {import('../scenario').Scenario} scenario
   * @param {{ url: string, connections: number, timeout: number }} settings s
   */
  constructor (scenario, { url, connections, timeout }) {
    this.timeout = timeout
    this.tally = new Tally()
    this.open = false
    this.held = [] // what to call when the gate opens
    this.underway = 0 // requests
    this.run = autocannon({
      url,
      connections,
      duration: FOREVER,
      timeout: FOREVER,
      sampleInt: SAMPLE,
      requests: scenario.requests.map((_, index) => ({ method: 'GET', index })),
      ...this.hooks(scenario, new URL(url).host)
    })
    this.run.on('reqError', (error) => this.tally.error(error.message))
  }

  hooks ({ requests, answer }, host) {
    const messages = requests.map((request) => toBytes(request, host))
    const expected = requests.map((request) => expectedOf(request, answer))
    let status
    let due // of the response at hand, which autocannon shows in two steps
    return {
      setupClient: (client) => {
        for (const request of client.requestIterator.requests) request.requestBuffer = messages[request.index]
        this.gate(client)
        client.on('response', (code, _, milliseconds) => {
          this.underway--
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

  gate (client) {
    const send = () => {
      this.underway++
      Object.getPrototypeOf(client)._doRequest.call(client)
    }
    client._doRequest = () => this.open ? send() : this.held.push(send)
  }

  /**
   * One slice, up to the last answer.
   *
   * @param {number} duration s
   */
  async go (duration) {
    const { tally } = this
    tally.begin()
    this.open = true
    for (const send of this.held.splice(0)) send()
    await sleep(duration * 1000)
    this.open = false
    const end = Date.now() + this.timeout * 1000
    while (this.underway > 0 && tally.problem === null) {
      if (Date.now() > end) tally.error(`no response within ${this.timeout} s`)
      await sleep(0)
    }
    tally.end()
  }

  async close () {
    this.run.stop()
    await this.run
  }
}

module.exports = Saturation
