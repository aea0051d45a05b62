'use strict'

// Student's t for a two-sided interval of 95 %, by degrees of freedom; from
// there on 1.96 plus 2.5 divided by them is right to two digits.
const T = [NaN, 12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23]

/**
 * The line of least squares through points.
 *
 * @param {number[]} xs
 * @param {number[]} ys as many, three or more
 * @returns {{ slope: number, low: number, high: number }} the slope, and its
 *   95 % interval
 */
function fitLine (xs, ys) {
  const count = xs.length
  const meanX = mean(xs)
  const meanY = mean(ys)
  const spread = sum(xs.map((x) => (x - meanX) ** 2))
  const slope = sum(xs.map((x, i) => (x - meanX) * (ys[i] - meanY))) / spread
  const residuals = ys.map((y, i) => y - meanY - slope * (xs[i] - meanX))
  const error = Math.sqrt(sum(residuals.map((residual) => residual ** 2)) / (count - 2) / spread)
  const margin = (T[count - 2] ?? 1.96 + 2.5 / (count - 2)) * error
  return { slope, low: slope - margin, high: slope + margin }
}

function mean (numbers) {
  return sum(numbers) / numbers.length
}

function sum (numbers) {
  return numbers.reduce((total, number) => total + number, 0)
}

module.exports = fitLine
