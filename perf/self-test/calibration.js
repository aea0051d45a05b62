'use strict'

const { mean, sampleVariance, studentQuantile } = require('../../tools/statistics')

const FOUND = 0.9 // of the sessions

/**
 * What a comparison of a target with itself tells about this machine: how far
 * runs lie apart, how much of that is more than the rounds within a run explain,
 * and which difference a session of so many runs finds.
 *
 * @param {object} comparison of A with itself, see results/comparison.js
 * @param {{ alpha: number }} settings
 * @returns {object[]} per scenario and load: standard deviations in %, of runs,
 *   of rounds within a run, and of the component between runs; the smallest
 *   difference in % that is found in 9 of 10 sessions
 */
module.exports = function calibrate ({ scenarios }, { alpha }) {
  return scenarios.map(({ name, runs, verdict }) => {
    const logs = runs.map(({ ratio }) => Math.log(ratio))
    const repeated = runs.filter(({ rounds }) => rounds.length > 1).map(({ rounds }) => rounds.map(Math.log))
    const within = repeated.length === 0 ? 0 : mean(repeated.map(sampleVariance))
    const between = sampleVariance(logs)
    const explained = within / mean(runs.map(({ rounds }) => rounds.length))
    const freedom = runs.length - 1
    const reach = studentQuantile(alpha / 2, freedom) + studentQuantile(1 - FOUND, freedom)
    return {
      name,
      runs: runs.length,
      runSpread: 100 * Math.sqrt(between),
      roundSpread: 100 * Math.sqrt(within),
      betweenRuns: 100 * Math.sqrt(Math.max(0, between - explained)),
      smallestDifference: 100 * Math.expm1(reach * Math.sqrt(between / runs.length)),
      decision: verdict.decision
    }
  })
}
