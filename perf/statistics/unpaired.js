'use strict'

const { mean, squaredError } = require('../../tools/statistics')
const { studentEstimate } = require('./estimates')

/**
 * Results of two sessions, minutes or days apart. The difference contains what
 * the machine did in between, and statistics cannot take it out again: the
 * interval is widened by `drift` on both sides, and never shows equivalence.
 *
 * @param {number[]} a logarithms, one per run
 * @param {number[]} b
 * @param {{ alpha: number, drift: number }} settings `drift` in %: how far
 *   sessions of the same code lie apart
 * @returns {ReturnType<import('./verdict').weigh>}
 */
module.exports = function weighUnpaired (a, b, { alpha, drift }) {
  const margin = Math.log(1 + drift / 100)
  const { estimate, low, high, below, above } = studentEstimate([mean(b) - mean(a)], {
    level: 1 - alpha,
    error: squaredError(a) + squaredError(b), // Welch's, with as few degrees of freedom as it can have
    freedom: Math.min(a.length, b.length) - 1
  })
  return {
    ratio: Math.exp(estimate),
    low: Math.exp(low - margin),
    high: Math.exp(high + margin),
    p: Math.min(1, 2 * Math.min(below(-margin), above(margin))),
    pEquivalent: 1
  }
}
