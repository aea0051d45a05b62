'use strict'

// How the cost grows in the rows of studies/scaling.js.

const { linearRegression } = require('../../tools/statistics')
const { REFERENCES, rowsOf } = require('../studies/scaling')

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

/** Two decimals, and never "-0.00". */
function formatExponent (value) {
  return (Math.round(value * 100) / 100 || 0).toFixed(2)
}

/**
 * @param {import('../studies/scaling').Series} series
 * @param {object[]} rows as measureRow gives them
 * @param {string} competitor
 * @returns {[size: number, ns: number][]} the least ns per request, for the sizes
 *   that were measured and parsed right
 */
function pointsOf (series, rows, competitor) {
  return rowsOf(series).flatMap(({ name, size }) => {
    const row = rows.find((row) => row.name === name)
    const times = row?.results[competitor]?.times
    return times === undefined ? [] : [[size, Math.min(...times)]]
  })
}

/**
 * The exponents of a series: 0 is a constant cost, 1 one that grows as the size
 * does.
 *
 * @returns {{ name: string, exponents: Record<string, number> } | null} null
 *   unless all of the series was measured
 */
function exponentsOf (series, rows) {
  const exponents = {}
  for (const competitor of REFERENCES) {
    const points = pointsOf(series, rows, competitor)
    if (points.length < series.sizes.length) return null
    exponents[competitor] = exponent(points)
  }
  return { name: `${series.name} (${series.unit})`, exponents }
}

module.exports = { exponent, exponentsOf, formatExponent, pointsOf }
