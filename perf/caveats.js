'use strict'

const { figure } = require('./words')

const BUSY = 0.85 // of a core; below this somebody else had the say
const ATTAINED = 0.97 // of the rate

/**
 * What to know before one believes the figures of a side in a scenario.
 *
 * @param {string} letter of the side
 * @param {Record<string, number | null>} averages of its blocks, see result.js
 * @param {{ rate: number | null, slice: number, duration: number }} options
 *   requests/s, s, s
 * @returns {string[]}
 */
function caveatsOf (letter, averages, { rate, slice, duration }) {
  if (rate !== null) return attains(averages, rate, slice, duration) ? [] : [late(letter, averages, rate)]
  const { utilisation, driverUtilisation } = averages
  if (utilisation === null || utilisation >= BUSY) return []
  const why = driverUtilisation >= BUSY ? `, for the driver was busy (${part(driverUtilisation)})` : ''
  return [`side ${letter} had ${part(utilisation)} of a core's time: its responses per second are not its most${why}`]
}

/**
 * A slice ends with its last answer, so it takes as much longer as an answer
 * does; and a part of a request cannot be sent. What is slower than that is a
 * server, or a driver, that falls behind.
 */
function attains ({ rps, latencyP50 }, rate, slice, duration) {
  return rps >= ATTAINED * rate * slice / (slice + latencyP50 / 1000) - 1 / duration
}

function late (letter, { rps }, rate) {
  return `side ${letter} or the driver did not keep up: ${figure(rps, 'responses/s')} of the ${figure(rate, 'requests/s')} ` +
    'asked for, so its latency is that of a growing queue'
}

function part (utilisation) {
  return `${Math.round(utilisation * 100)} %`
}

module.exports = caveatsOf
