'use strict'

const { median } = require('../../tools/statistics')

/**
 * @typedef {object} Figures
 * @property {Record<string, number>} outcomes how often each was seen
 * @property {number} wall ms of a lap; the median
 * @property {number} hold ms of the longest turn of the event loop in a lap;
 *   the median of the laps, but for the first one
 * @property {number} worst ms; the longest turn in these laps
 * @property {number} cold ms; the longest turn in the first lap, in which
 *   modules are loaded and code is compiled
 * @property {number} peak bytes of RSS above the idle server
 */

/**
 * @param {{ outcomes: string[], wall: number, hold: number, peak: number }[]} laps
 * @returns {Figures}
 */
function figuresOf (laps) {
  const warm = laps.length > 1 ? laps.slice(1) : laps
  const holds = warm.map(({ hold }) => hold)
  return {
    outcomes: tally(laps.flatMap(({ outcomes }) => outcomes)),
    wall: median(warm.map(({ wall }) => wall)),
    hold: median(holds),
    worst: Math.max(...holds),
    cold: laps[0].hold,
    peak: Math.max(...laps.map(({ peak }) => peak))
  }
}

function tally (outcomes) {
  const counts = {}
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}

module.exports = figuresOf
