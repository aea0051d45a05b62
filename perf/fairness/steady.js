'use strict'

// The small requests.

const { setTimeout: sleep } = require('node:timers/promises')
const { Pool } = require('undici')
const { toUndici } = require('../drivers/check')
const Tally = require('../drivers/tally')
const { expectedOf } = require('../scenario')

const CONNECTIONS = 100 // enough that none has to wait for another's answer, but for a server that stands still
const EARLY = 2 // ms; a timer may be late by one, so the rest is waited for turn by turn

/**
 * So many small requests a second, evenly spread and whatever the server does:
 * latency counts from the moment at which one was due, so that a server that
 * stands still cannot hide those that it would have met (coordinated omission).
 */
class Steady {
  /**
   * @param {import('../requests').LoadRequest} request
   * @param {{ url: string, rate: number, timeout: number }} settings requests/s, s
   */
  constructor (request, { url, rate, timeout }) {
    this.pool = new Pool(url, { connections: CONNECTIONS, headersTimeout: timeout * 1000, bodyTimeout: timeout * 1000 })
    this.message = toUndici(request)
    this.expected = expectedOf(request, 'tail')
    this.rate = rate
    this.tally = new Tally()
    this.late = 0 // ns; how much too late this process sent the latest of all
  }

  /**
   * Sends what is due in this time, and waits for the last answer.
   *
   * @param {number} duration s
   */
  async go (duration) {
    const interval = 1e9 / this.rate // ns
    const total = Math.max(1, Math.floor(this.rate * duration))
    const underway = []
    this.tally.begin()
    const began = process.hrtime.bigint()
    while (underway.length < total) {
      const elapsed = Number(process.hrtime.bigint() - began)
      const ahead = underway.length * interval - elapsed // ns
      if (ahead <= 0) underway.push(this.send(began + BigInt(Math.round(underway.length * interval))))
      else if (ahead > EARLY * 1e6) await sleep(ahead / 1e6 - EARLY)
      else await new Promise((resolve) => setImmediate(resolve))
    }
    await Promise.all(underway)
    this.tally.end()
  }

  async send (due) {
    const { tally } = this
    this.late = Math.max(this.late, Number(process.hrtime.bigint() - due))
    try {
      const { statusCode, body } = await this.pool.request(this.message)
      const text = await body.text()
      tally.response(statusCode, Number(process.hrtime.bigint() - due))
      tally.compare(statusCode, text, this.expected)
    } catch (error) {
      tally.error(error.message)
    }
  }

  async close () {
    await this.pool.destroy()
  }
}

module.exports = Steady
