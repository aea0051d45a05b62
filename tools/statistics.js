'use strict'

const { jStat } = require('jstat')

const { mean, median, min, sum } = jStat

/** @returns {number} the value below which this portion of the others lies: type 7 of Hyndman and Fan, as R does by default */
const quantile = (values, portion) => jStat.quantiles(values, [portion], 1, 1)[0]

/** @returns {number} the squared standard error of the mean of these values */
const squaredError = (values) => jStat.variance(values, true) / values.length

/** @returns {number} */
const interquartileRange = (values) => quantile(values, 0.75) - quantile(values, 0.25)

/** @returns {{ min: number, median: number, spread: number }} spread: the interquartile range as a share of the median */
function summarize (samples) {
  const middle = median(samples)
  return { min: min(samples), median: middle, spread: interquartileRange(samples) / middle }
}

/**
 * Student's interval of an estimate.
 *
 * @param {number} estimate
 * @param {number} squared error of it
 * @param {number} freedom degrees of it
 * @param {number} [level]
 * @returns {{ low: number, high: number }}
 */
function studentInterval (estimate, squared, freedom, level = 0.95) {
  const margin = -jStat.studentt.inv((1 - level) / 2, freedom) * Math.sqrt(squared)
  return { low: estimate - margin, high: estimate + margin }
}

/**
 * The line of least squares through points.
 *
 * @param {number[]} xs
 * @param {number[]} ys as many, three or more
 * @param {number} [level] of the interval
 * @returns {{ slope: number, low: number, high: number }} the slope and its interval
 */
function fitLine (xs, ys, level = 0.95) {
  const [middleX, middleY] = [mean(xs), mean(ys)]
  const spread = sum(xs.map((x) => (x - middleX) ** 2))
  const slope = sum(xs.map((x, i) => (x - middleX) * (ys[i] - middleY))) / spread
  const residuals = sum(ys.map((y, i) => (y - middleY - slope * (xs[i] - middleX)) ** 2))
  const freedom = xs.length - 2
  return { slope, ...studentInterval(slope, residuals / freedom / spread, freedom, level) }
}

module.exports = { fitLine, interquartileRange, mean, median, min, quantile, squaredError, studentInterval, sum, summarize }
