'use strict'

// How much more than body-parser an attack may cost: a share of its cost, and the
// noise of two measurements of the same code. Node.js collects the memory that it
// reads sockets into only once it is some 32 MB.
const BOUNDS = {
  busy: { part: 0.15, least: 0.02 }, // of the time
  p50: { part: 0.25, least: 1 }, // ms
  p99: { part: 0.5, least: 10 }, // ms
  peak: { part: 0.25, least: 48 * 2 ** 20 } // bytes
}

/**
 * The figures in which an attack exceeds the baseline.
 *
 * @param {import('./catalog').Attack} attack
 * @param {import('./run').Figures} seen
 * @param {import('./run').Figures} baseline
 * @param {string[]} [judged] of `busy`, `p50`, `p99` and `peak`
 * @returns {string[]} faults: these, 'outcome' and 'missed'
 */
module.exports = function faultsOf ({ expect, allowed = [], most = 1 }, seen, baseline, judged = Object.keys(BOUNDS)) {
  const faults = judged.filter((key) => !allowed.includes(key) &&
    seen[key] > baseline[key] * (key === 'busy' ? most : 1) * (1 + BOUNDS[key].part) + BOUNDS[key].least)
  if (!Object.keys(seen.outcomes).every((outcome) => expect.includes(outcome))) faults.push('outcome')
  if (seen.missed > baseline.missed) faults.push('missed')
  return faults
}
