'use strict'

const { Pool } = require('undici')
const { expectedOf } = require('../scenario')
const { toUndici } = require('./check')
const Tally = require('./tally')

/**
 * So many requests a second, evenly spread. Latency counts from the moment at
 * which a request was due, so that a server that falls behind cannot hide it
 * (coordinated omission).
 *
 * @param {import('../scenario').Scenario} scenario
 * @param {{ url: string, connections: number, duration: number, timeout: number, rate: number }} settings
 *   s, requests/s
 * @returns {Promise<Tally>}
 */
module.exports = async function pace (scenario, { url, connections, duration, timeout, rate }) {
  const pool = new Pool(url, { connections, headersTimeout: timeout * 1000, bodyTimeout: timeout * 1000 })
  const messages = scenario.requests.map(toUndici)
  const expected = scenario.requests.map((request) => expectedOf(request, scenario.answer))
  const tally = new Tally()
  const interval = 1e9 / rate // ns
  const total = Math.round(rate * duration)
  const begin = process.hrtime.bigint()
  const pending = new Set()

  for (let sent = 0; sent < total;) {
    const due = Math.min(total, Math.floor(Number(process.hrtime.bigint() - begin) / interval) + 1)
    for (; sent < due; sent++) {
      const index = sent % messages.length
      const answered = send(messages[index], expected[index], begin + BigInt(Math.round(sent * interval)))
      pending.add(answered)
      answered.finally(() => pending.delete(answered))
    }
    await new Promise((resolve) => setImmediate(resolve)) // a timer would be up to 1 ms late
  }
  await Promise.all(pending)
  tally.stop()
  await pool.destroy()
  return tally

  async function send (message, wanted, due) {
    try {
      const { statusCode, body } = await pool.request(message)
      const bytes = Buffer.from(await body.arrayBuffer())
      tally.response(statusCode, bytes.length, Number(process.hrtime.bigint() - due))
      tally.compare(statusCode, bytes.toString('latin1'), wanted)
    } catch (error) {
      tally.error(error.message)
    }
  }
}
