'use strict'

// Has a server reached its steady state? V8 compiles while it runs: CPU time per
// request falls for a while, slowly or in steps, and a deoptimisation lifts it
// again. Here it is a series of windows of 50 ms. A series is level if its later
// half has the median of the earlier half, within some percent, and no monotone
// trend (Mann-Kendall). Medians and ranks, as single windows contain a garbage
// collection or what else the machine did. test/tools/perf/steady.js states the
// rates of error on series that are made up.

const { median, normalTail } = require('../../tools/statistics')

const STRETCH = 60 // windows that must be level; the first half is compared with the second
const LEVEL = 0.02 // of the median: halves that differ more are not level
const CHANCE = 0.1 // p of a trend; below it a server is still warming up
const CHANGE = 0.03 // of the median; a block that changes by less counts
const SURE = 0.02 // p of a trend; below it a block that changes by more does not count
const JUMP = 0.1 // of the ratio B / A: a round that lies further from the others changed in between

/**
 * The Mann-Kendall test of a monotone trend, by the normal approximation.
 *
 * @param {number[]} values eight or more
 * @returns {number} p, two-sided
 */
function trendP (values) {
  const { length } = values
  let score = 0
  for (let i = 0; i < length; i++) {
    for (let j = i + 1; j < length; j++) score += Math.sign(values[j] - values[i])
  }
  const variance = length * (length - 1) * (2 * length + 5) / 18
  return Math.min(1, 2 * normalTail(Math.max(0, Math.abs(score) - 1) / Math.sqrt(variance)))
}

/** By which portion does the later half differ from the earlier one? */
function changeOf (values) {
  const half = Math.floor(values.length / 2)
  return median(values.slice(-half)) / median(values.slice(0, half)) - 1
}

/**
 * @param {number[]} values CPU time per request, window by window, since the load began
 * @returns {number | null} the window from which on it is level; null if it is not, as of now
 */
function steadySince (values) {
  if (values.length < STRETCH) return null
  const last = values.slice(-STRETCH)
  return Math.abs(changeOf(last)) <= LEVEL && trendP(last) >= CHANCE ? values.length - STRETCH : null
}

const FEWEST = 8 // windows of a block; fewer do not show a trend

/**
 * @param {number[]} values of one block
 * @returns {boolean} false if they change for more than chance
 */
function isLevel (values) {
  return values.length < FEWEST || Math.abs(changeOf(values)) <= CHANGE || trendP(values) >= SURE
}

/**
 * Which rounds of a run differ from the others, as one target changed in between?
 *
 * @param {number[]} logs logarithm of B / A, one per round
 * @returns {boolean[]} true where a round lies with the others
 */
function agreeing (logs) {
  const middle = logs.length < 3 ? null : median(logs)
  return logs.map((log) => middle === null || Math.abs(log - middle) <= Math.log(1 + JUMP))
}

module.exports = { trendP, steadySince, isLevel, agreeing, STRETCH, FEWEST }
