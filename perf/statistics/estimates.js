'use strict'

// Estimates from logarithms of ratios, so that "twice" and "half" are equally
// far from 1.

const { mean, median, squaredError, studentInterval, studentTail } = require('../../tools/statistics')

/**
 * The Hodges-Lehmann estimate: the median of the means of all pairs. It is
 * nearly as sharp as the mean, and resists single disturbed values.
 *
 * @param {number[]} values
 * @returns {number}
 */
function centre (values) {
  return median(values.flatMap((value, i) => values.slice(i).map((other) => (value + other) / 2)))
}

/**
 * What runs say about the true value, by Student's t. The values of runs contain
 * all that differs from one run to the next, and so does the interval.
 *
 * @param {number[]} values one per run, two or more
 * @param {{ level?: number, error?: number, freedom?: number }} [settings] of
 *   values that are no plain sample: squared error of the mean, and its degrees of freedom
 * @returns {{ estimate: number, low: number, high: number, below: (limit: number) => number, above: (limit: number) => number }}
 *   an interval; p of the finding that the true value is below or above a limit
 */
function studentEstimate (values, { level = 0.95, error = squaredError(values), freedom = values.length - 1 } = {}) {
  const estimate = mean(values)
  const distance = (limit) => (limit - estimate) / Math.sqrt(Math.max(error, Number.MIN_VALUE))
  return {
    estimate,
    ...studentInterval(estimate, error, freedom, level),
    below: (limit) => studentTail(distance(limit), freedom),
    above: (limit) => studentTail(-distance(limit), freedom)
  }
}

module.exports = { centre, studentEstimate }
