'use strict'

const { setTimeout: sleep } = require('node:timers/promises')
const { Pool } = require('undici')
const { expectedOf } = require('../scenarios')
const { toUndici } = require('./check')
const Tally = require('./tally')

const EARLY = 2 // ms; a timer may be late by 1 ms, so the rest is waited for turn by turn

/**
 * Sends requests at a constant rate, evenly spread, whatever the server does.
 * Latency counts from the moment at which a request was due, so that a server
 * that stands still cannot hide the requests it holds up (coordinated omission).
 */
class ConstantRate {
  /**
   * @param {import('../scenarios').Scenario} scenario
   * @param {{ url: string, connections: number, timeout: number, rate: number }} settings
   *   s, requests/s
   */
  constructor ({ requests, answer }, { url, connections, timeout, rate }) {
    this.pool = new Pool(url, { connections, headersTimeout: timeout * 1000, bodyTimeout: timeout * 1000 })
    this.messages = requests.map(toUndici)
    this.expected = requests.map((request) => expectedOf(request, answer, new URL(url).host))
    this.rate = rate
    this.sent = 0
    this.owed = 0 // requests; a fraction of one may be left for the next slice
    this.late = 0 // ns; by how much the latest request of all was sent too late
    this.tally = new Tally()
  }

  /**
   * One slice: up to its end or the last response, whichever is later.
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
    for (;;) {
      const elapsed = Number(process.hrtime.bigint() - began)
      while (underway.length < total && underway.length * interval <= elapsed) {
        underway.push(this.send(began + BigInt(Math.round(underway.length * interval))))
      }
      const ahead = (underway.length < total ? underway.length * interval : duration * 1e9) - elapsed
      if (ahead <= 0) break
      if (ahead > EARLY * 1e6) await sleep(ahead / 1e6 - EARLY)
      else await new Promise((resolve) => setImmediate(resolve))
    }
    await Promise.all(underway)
    this.tally.end()
  }

  async send (due) {
    const { tally } = this
    const index = this.sent++ % this.messages.length
    this.late = Math.max(this.late, Number(process.hrtime.bigint() - due))
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

module.exports = ConstantRate
