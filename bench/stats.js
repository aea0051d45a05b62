'use strict'

const { interquartileRange, median, min } = require('simple-statistics')

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

module.exports = { over, summarize }
