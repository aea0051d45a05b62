'use strict'

const { jStat } = require('jstat')

const { max, mean, median, min, sum } = jStat

/**
 * @returns {{ min: number, median: number, spread: number }} spread: the interquartile range as a share of the
 *   median, by quantiles of type 7 of Hyndman and Fan, as R does by default
 */
function summarize (samples) {
  const [low, middle, high] = jStat.quantiles(samples, [0.25, 0.5, 0.75], 1, 1)
  return { min: min(samples), median: middle, spread: (high - low) / middle }
}

module.exports = { max, mean, median, min, sum, summarize }
