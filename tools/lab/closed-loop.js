'use strict'

// A closed loop, sent by autocannon: each connection sends its next request when it has its response.

const autocannon = require('autocannon')
const { differenceOf, Tally } = require('./tally')

const TICK = 25 // ms; autocannon ends a run at its next tick, which is a second unless it is told otherwise
const FOREVER = 1e6 // s

/**
 * @typedef {object} Request
 * @property {string} [method]
 * @property {string} [path]
 * @property {Record<string, string>} [headers]
 * @property {Buffer} [body]
 * @property {{ status: number, body: string }} [expected] the response; its body is read as UTF-8
 * @property {(status: number, body: string, context: object, headers: object) => string | null} [check] in place of
 *   `expected`: what is wrong with a response
 * @property {Function} [setupRequest] see autocannon
 */

/**
 * What autocannon is told.
 *
 * @param {{ port: number, requests: Request[], connections: number, amount?: number, timeout?: number }} loop each
 *   connection sends the requests in turn, `amount` over all; s without a response
 * @param {(difference: string | null) => void} [note] called with what is wrong with each response of several requests
 */
function optionsOf ({ port, requests, connections, amount, timeout = 30 }, note = () => {}) {
  const url = `http://127.0.0.1:${port}`
  const end = amount === undefined ? { duration: FOREVER } : { amount }
  const how = { url, connections, timeout, ...end, bailout: 1, sampleInt: TICK }
  const [{ path = '/', expected, ...request }, ...others] = requests
  // autocannon takes `expectBody` for one request at a time, and ignores it if it is empty.
  if (others.length === 0 && expected?.body) {
    return { ...how, ...request, url: url + path, expectBody: expected.body }
  }
  return { ...how, requests: requests.map((request) => withCheck(request, note)) }
}

function withCheck ({ expected, check = (status, body) => differenceOf(status, body, expected), ...request }, note) {
  return { ...request, onResponse: (...response) => note(check(...response)) }
}

/**
 * Sends `amount` requests, or sends requests until `signal` is aborted.
 *
 * @param {Parameters<typeof optionsOf>[0] & { signal?: AbortSignal }} settings
 * @returns {Promise<object>} the figures of the tally, and s until the last response (`elapsed`)
 * @throws {Error} a sentence that says what went wrong
 */
async function sendClosedLoop ({ signal, ...settings }) {
  const tally = new Tally()
  const { requests: [{ expected }] } = settings
  const seen = { responses: 0, status: 0, wrong: [], error: null, began: performance.now(), ended: 0 }
  const note = (difference) => difference !== null && seen.wrong.push(difference)
  const options = optionsOf(settings, note)
  const loop = autocannon(options)
  signal?.addEventListener('abort', () => loop.stop(), { once: true })
  loop.on('response', (client, status, bytes, latency) => {
    seen.responses++
    seen.status = status
    seen.ended = performance.now()
    tally.add(status, bytes, latency)
    if (options.expectBody !== undefined && status !== expected.status) note(`${status} instead of ${expected.status}`)
  })
  loop.on('reqMismatch', (body) => {
    if (seen.status !== expected.status) seen.wrong.pop() // the status alone
    note(differenceOf(seen.status, body, expected))
  })
  loop.on('reqError', (error) => { seen.error ??= error.message })
  const problem = problemOf(await loop, seen, settings)
  if (problem !== null) throw new Error(problem)
  return { ...tally.figures(), elapsed: (seen.ended - seen.began) / 1000 }
}

/** autocannon opens a connection that the server closed again, and counts no error: only the response is missing. */
function problemOf ({ errors, timeouts, mismatches, requests: { sent } }, { responses, wrong, error }, loop) {
  const { connections, timeout = 30 } = loop
  const amount = loop.amount ?? sent - connections // when it stops, autocannon gives up what is on its way
  const came = `${responses} of ${amount} responses came`
  if (timeouts > 0) return `no response within ${timeout} s to ${timeouts} requests: ${came}`
  if (errors > 0) return `${errors} connections failed, the first with ${error}: ${came}`
  if (mismatches === 0 && responses < amount) return `the server closed a connection before it answered: ${came}`
  if (wrong.length > 0) return `${wrong.length} of ${responses} responses were wrong, the first ${wrong[0]}`
  return null
}

module.exports = sendClosedLoop
