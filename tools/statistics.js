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

/**
 * The line of least squares through points.
 *
 * @param {number[]} xs
 * @param {number[]} ys as many, three or more
 * @returns {{ slope: number, low: number, high: number }} the slope and Student's interval of 95 %
 */
function fitLine (xs, ys) {
  const [middleX, middleY] = [mean(xs), mean(ys)]
  const spread = sum(xs.map((x) => (x - middleX) ** 2))
  const slope = sum(xs.map((x, i) => (x - middleX) * (ys[i] - middleY))) / spread
  const residuals = sum(ys.map((y, i) => (y - middleY - slope * (xs[i] - middleX)) ** 2))
  const freedom = xs.length - 2
  const margin = -jStat.studentt.inv(0.025, freedom) * Math.sqrt(residuals / freedom / spread)
  return { slope, low: slope - margin, high: slope + margin }
}

module.exports = { fitLine, max, mean, median, min, sum, summarize }
