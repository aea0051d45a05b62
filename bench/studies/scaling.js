'use strict'

// Rows that differ in one size only, to see what the cost grows with.

const { form, json } = require('../rows/bodies')
const { post } = require('../rows/row')
const { pass } = require('../rows/skip')

const REFERENCES = ['bare', 'ours', 'body-parser']
const LIMIT = 16 * 1024 * 1024 // bytes

/**
 * @typedef {object} Series
 * @property {string} name
 * @property {string} unit of what grows
 * @property {number[]} sizes
 * @property {string} need see ../rows/row.js
 * @property {(size: number) => import('../rows/row').Work} build
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

/** @returns {import('../rows/row').Row[]} one for each size */
function rowsOf ({ name, sizes, need, build }) {
  return sizes.map((size) => ({
    name: `scaling, ${name}, ${size}`,
    size,
    needs: [need],
    build: () => build(size)
  }))
}

module.exports = { REFERENCES, SERIES, rowsOf }
