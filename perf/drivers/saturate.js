'use strict'

const autocannon = require('autocannon')
const { expectedOf } = require('../scenario')
const { toBytes } = require('../wire')
const Tally = require('./tally')

const SAMPLE = 50 // ms; autocannon ends at one of these

/**
 * As many requests as the server answers: every connection sends the next one
 * when it has its answer.
 *
 * @param {import('../scenario').Scenario} scenario
 * @param {{ url: string, connections: number, duration: number, timeout: number }} settings s
 * @returns {Promise<Tally>}
 */
module.exports = async function saturate (scenario, { url, connections, duration, timeout }) {
  const { host } = new URL(url)
  const messages = scenario.requests.map((request) => toBytes(request, host))
  const expected = scenario.requests.map((request) => expectedOf(request, scenario.answer))
  const tally = new Tally()
  let status
  let due // of the response at hand, which autocannon shows in two steps

  const run = autocannon({
    url,
    connections,
    duration,
    timeout,
    sampleInt: SAMPLE,
    requests: scenario.requests.map((_, index) => ({ method: 'GET', index })),
    setupClient (client) {
      const { requests } = client.requestIterator
      for (const request of requests) request.requestBuffer = messages[request.index]
      client.on('response', (code, bytes, milliseconds) => {
        tally.response(code, bytes, Math.round(milliseconds * 1e6))
        status = code
        due = expected[client.requestIterator.currentRequest.index]
      })
    },
    verifyBody (body) {
      tally.compare(status, body, due)
      return true
    }
  })
  run.on('reqError', (error) => tally.error(error.message))
  await run
  tally.stop()
  return tally
}
