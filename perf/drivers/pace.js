'use strict'

const { Pool } = require('undici')
const { expectedOf } = require('../scenario')
const { toUndici } = require('./check')
const Tally = require('./tally')

/**
 * So many requests a second, evenly spread. Latency counts from the moment at
 * which a request was due, so that a server that falls behind cannot hide it
 * (coordinated omission).
 */
class Pace {
  /**
   * @param {import('../scenario').Scenario} scenario
   * @param {{ url: string, connections: number, timeout: number, rate: number }} settings
   *   s, requests/s
   */
  constructor (scenario, { url, connections, timeout, rate }) {
    this.pool = new Pool(url, { connections, headersTimeout: timeout * 1000, bodyTimeout: timeout * 1000 })
    this.messages = scenario.requests.map(toUndici)
    this.expected = scenario.requests.map((request) => expectedOf(request, scenario.answer))
    this.rate = rate
    this.sent = 0
    this.owed = 0 // requests; of those due in a slice a fraction may be left for the next
    this.tally = new Tally()
  }

  /**
   * One slice, up to its end or the last answer, whichever is later.
   *
   * @param {number} duration s
   */
  async go (duration) {
    const interval = 1e9 / this.rate // ns
    this.owed += this.rate * duration
    const total = Math.floor(this.owed)
    this.owed -= total
    const underway = []
    this.tally.begin()
    const began = process.hrtime.bigint()
    let elapsed // ns
    do {
      elapsed = Number(process.hrtime.bigint() - began)
      const due = Math.min(total, Math.floor(elapsed / interval) + 1)
      while (underway.length < due) underway.push(this.send(began + BigInt(Math.round(underway.length * interval))))
      await new Promise((resolve) => setImmediate(resolve)) // a timer would be up to 1 ms late
    } while (elapsed < duration * 1e9)
    await Promise.all(underway)
    this.tally.end()
  }

  async send (due) {
    const { tally } = this
    const index = this.sent++ % this.messages.length
    try {
      const { statusCode, body } = await this.pool.request(this.messages[index])
      const bytes = Buffer.from(await body.arrayBuffer())
      tally.response(statusCode, Number(process.hrtime.bigint() - due))
      tally.compare(statusCode, bytes.toString('latin1'), this.expected[index])
    } catch (error) {
      tally.error(error.message)
    }
  }

  async close () {
    await this.pool.destroy()
  }
}

module.exports = Pace
