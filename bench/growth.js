'use strict'

// Rows that differ in one size alone, to see what the cost grows with.

const { form, json } = require('./bodies')
const { post } = require('./rows/row')
const { pass } = require('./rows/skip')
const { exponent } = require('./stats')

const REFERENCES = ['bare', 'ours', 'body-parser']
const LIMIT = 16 * 1024 * 1024 // bytes

/**
 * @typedef {object} Series
 * @property {string} name
 * @property {string} unit of what grows
 * @property {number[]} sizes
 * @property {string} need see rows/row.js
 * @property {(size: number) => import('./rows/row').Work} build
 */

/** @type {Series[]} */
const SERIES = [
  {
    name: 'body size',
    unit: 'bytes, in chunks of 64 KB',
    sizes: [100, 1e3, 1e4, 1e5, 1e6, 1e7],
    need: 'json',
    build: (size) => post('json', json(size), { options: { limit: LIMIT }, chunk: 64 * 1024 })
  },
  {
    name: 'chunks',
    unit: 'chunks of a body of 100 KB',
    sizes: [1, 10, 100, 1e3, 1e4],
    need: 'json',
    build: (size) => post('json', json(1e5), { options: { limit: LIMIT }, chunk: 1e5 / size })
  },
  {
    name: 'form fields',
    unit: 'fields',
    sizes: [1, 3, 10, 30, 100, 300, 1e3],
    need: 'form',
    build: (size) => post('urlencoded', form(size, false), { options: { extended: false } })
  },
  {
    name: 'stacked parsers',
    unit: 'parsers that a GET passes',
    sizes: [1, 2, 4, 8, 16],
    need: 'GET',
    build: (size) => pass(Array(size).fill(['json', {}]), true)
  },
  {
    name: 'content types',
    unit: 'distinct values of Content-Type',
    sizes: [1, 10, 100, 1e3, 1e4, 1e5],
    need: 'json',
    build: (size) => ({
      ...post('json', json(274)),
      contentTypes: Array.from({ length: size }, (_, i) => `application/json; v=${i}`)
    })
  }
]

/** @returns {import('./rows/row').Row[]} one for each size */
function rowsOf ({ name, sizes, need, build }) {
  return sizes.map((size) => ({
    name: `growth, ${name}, ${size}`,
    size,
    needs: [need],
    build: () => build(size)
  }))
}

/**
 * @param {Series} series
 * @param {object[]} rows as measureRow gives them
 * @param {string} competitor
 * @returns {[size: number, ns: number][]} ns per request at best, for the sizes
 *   that were measured, and came out right
 */
function pointsOf (series, rows, competitor) {
  return rowsOf(series).flatMap(({ name, size }) => {
    const row = rows.find((row) => row.name === name)
    const times = row?.results[competitor]?.times
    return times === undefined ? [] : [[size, Math.min(...times)]]
  })
}

/**
 * The exponents of a series: 0 is a cost that stays, 1 one that grows as the
 * size does.
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

module.exports = { REFERENCES, SERIES, exponentsOf, pointsOf, rowsOf }
