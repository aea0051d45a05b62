'use strict'

// How much more than body-parser a stream may cost: a part of it, and what two
// measurements of the same differ by.
const BOUNDS = {
  busy: { part: 0.15, least: 0.02 }, // of the time
  p50: { part: 0.25, least: 1 }, // ms
  p99: { part: 0.5, least: 10 } // ms
}

/**
 * In what a stream exceeds the yardstick.
 *
 * @param {import('./rows').Stream} row
 * @param {import('./run').Load} seen
 * @param {import('./run').Load} yardstick
 * @param {string[]} judged of `busy`, `p50` and `p99`
 * @returns {string[]} faults: these, 'outcome', 'innocents' and 'missed'
 */
function faultsOf ({ expect }, seen, yardstick, judged = Object.keys(BOUNDS)) {
  const faults = judged.filter((name) => {
    const { part, least } = BOUNDS[name]
    return seen[name] > yardstick[name] * (1 + part) + least
  })
  if (!Object.keys(seen.outcomes).every((outcome) => expect.includes(outcome))) faults.push('outcome')
  if (Object.keys(seen.answers).some((status) => status !== '200')) faults.push('innocents')
  if (seen.missed > yardstick.missed) faults.push('missed')
  return faults
}

module.exports = faultsOf
