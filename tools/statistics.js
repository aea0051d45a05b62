'use strict'

const { jStat } = require('jstat')
const { interquartileRange, linearRegression, mean, median, min, sampleStandardDeviation: standardDeviation, sampleVariance, sum } = require('simple-statistics')

/**
 * Interpolates between the two nearest values (type 7 of Hyndman and Fan, as
 * NumPy and R do). simple-statistics takes one of them, and jstat sorts anew at
 * each call, of which a bootstrap makes thousands.
 *
 * @param {ArrayLike<number>} sorted
 * @param {number} portion from 0 to 1
 */
function quantile (sorted, portion) {
  const at = (sorted.length - 1) * portion
  const below = Math.floor(at)
  const above = Math.ceil(at)
  return sorted[below] + (sorted[above] - sorted[below]) * (at - below)
}

/** @returns {number} the squared standard error of the mean of these values */
function squaredError (values) {
  return sampleVariance(values) / values.length
}

/** @returns {{ min: number, median: number, spread: number }} spread: the interquartile range as a share of the median */
function summarize (samples) {
  const middle = median(samples)
  return { min: min(samples), median: middle, spread: interquartileRange(samples) / middle }
}

/** @returns {number} the value above which Student's t lies with probability `tail` (up to 0.5) */
function studentQuantile (tail, freedom) {
  return -jStat.studentt.inv(tail, freedom)
}

const FAR = 1e6 // jstat gives NaN for values that are much further out

/** @returns {number} the probability that Student's t is above `value` */
function studentTail (value, freedom) {
  return jStat.studentt.cdf(Math.max(-FAR, Math.min(FAR, -value)), freedom)
}

/** @returns {number} the probability that a standard normal value is above `z` */
function normalTail (z) {
  return jStat.normal.cdf(-z, 0, 1)
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
  const margin = studentQuantile((1 - level) / 2, freedom) * Math.sqrt(squared)
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
  const { m: slope, b } = linearRegression(xs.map((x, i) => [x, ys[i]]))
  const middle = mean(xs)
  const spread = sum(xs.map((x) => (x - middle) ** 2))
  const residuals = sum(ys.map((y, i) => (y - b - slope * xs[i]) ** 2))
  const freedom = xs.length - 2
  return { slope, ...studentInterval(slope, residuals / freedom / spread, freedom, level) }
}

module.exports = { interquartileRange, quantile, mean, median, min, standardDeviation, sampleVariance, squaredError, summarize, studentQuantile, studentTail, studentInterval, normalTail, fitLine, linearRegression }
