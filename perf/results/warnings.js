'use strict'

const { figure } = require('./format')

const BUSY = 0.85 // of a core; below this something else was the limit
const ATTAINED = 0.97 // of the rate

/**
 * What to know before believing the figures of a target in a scenario.
 *
 * @param {string} letter of the target
 * @param {Record<string, number | null>} averages of its blocks, see result.js
 * @param {{ responses: number, mismatches: number, errors: number }[]} blocks
 * @param {{ rate: number | null, slice: number, duration: number }} options
 *   requests/s, s, s
 * @returns {string[]}
 */
module.exports = function warningsOf (letter, averages, blocks, { rate, slice, duration }) {
  return [...failures(letter, blocks), ...limits(letter, averages, rate, slice, duration)]
}

/** With --keep-going a run does not end at the first of these. */
function failures (letter, blocks) {
  const sumOf = (key) => blocks.reduce((sum, block) => sum + (block[key] ?? 0), 0)
  const [wrong, errors] = [sumOf('mismatches'), sumOf('errors')]
  if (wrong + errors === 0) return []
  return [`target ${letter}: ${wrong} wrong responses and ${errors} errors in ${sumOf('responses') + errors} requests: ` +
    'its figures include them']
}

function limits (letter, averages, rate, slice, duration) {
  if (rate !== null) return attains(averages, rate, slice, duration) ? [] : [late(letter, averages, rate)]
  const { utilisation, driverUtilisation } = averages
  if (utilisation === null || utilisation >= BUSY) return []
  const why = driverUtilisation >= BUSY ? `, as the driver was busy (${percent(driverUtilisation)})` : ''
  return [`target ${letter} used ${percent(utilisation)} of a core: its responses per second are not its maximum${why}`]
}

/**
 * A slice ends with its last response, so it is longer by one latency; and a
 * fraction of a request cannot be sent. Anything slower is a server, or a
 * driver, that falls behind.
 */
function attains ({ rps, latencyP50 }, rate, slice, duration) {
  return rps >= ATTAINED * rate * slice / (slice + latencyP50 / 1000) - 1 / duration
}

function late (letter, { rps }, rate) {
  return `target ${letter} or the driver did not keep up: ${figure(rps, 'responses/s')} of the ${figure(rate, 'requests/s')} ` +
    'asked for, so its latency is that of a growing queue'
}

function percent (utilisation) {
  return `${Math.round(utilisation * 100)} %`
}
