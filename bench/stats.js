'use strict'

const { interquartileRange, linearRegression, median, min } = require('simple-statistics')

/**
 * @param {number[]} samples
 * @returns {{ min: number, median: number, spread: number }} spread: the
 *   interquartile range as a share of the median
 */
function summarize (samples) {
  const middle = median(samples)
  return { min: min(samples), median: middle, spread: interquartileRange(samples) / middle }
}

/**
 * What is spent beyond the bare work, as a share of what body-parser spends
 * beyond it: 0 is as cheap as bare, 1 as dear as body-parser.
 */
function over (ours, bodyParser, bare) {
  return (ours - bare) / (bodyParser - bare)
}

/**
 * The exponent of a power law, y = c * x^e, fitted to the upper half of the
 * points: below, a constant cost hides what grows.
 *
 * @param {[x: number, y: number][]} points in rising order of x
 */
function exponent (points) {
  const upper = points.slice(Math.floor(points.length / 2))
  return linearRegression(upper.map(([x, y]) => [Math.log(x), Math.log(y)])).m
}

/** To hundredths, of which there is no "-0.00". */
function formatExponent (value) {
  return (Math.round(value * 100) / 100 || 0).toFixed(2)
}

module.exports = { exponent, formatExponent, over, summarize }
