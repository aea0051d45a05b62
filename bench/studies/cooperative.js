'use strict'

// What the option `cooperative` costs a body below its threshold: with it and
// without it in turn, as ratios across rows would be too coarse.

const ours = require('../competitors/ours')
const { json } = require('../rows/bodies')
const { post } = require('../rows/row')

const needs = ['json']
const LIMIT = 16 * 1024 * 1024 // bytes

/** @type {import('../rows/row').Row[]} */
const rows = [
  { name: 'cooperative, 274 B', needs, close: true, heap: true, build: () => post('json', json(274)) },
  { name: 'cooperative, 274 B, as a server feeds it', needs, close: true, build: () => post('json', json(274), { served: true }) },
  { name: 'cooperative, 6.5 KB', needs, close: true, heap: true, build: () => post('json', json(6558)) },
  { name: 'cooperative, 208 KB', needs, close: true, build: () => post('json', json(208500), { options: { limit: LIMIT }, chunk: 64 * 1024 }) }
]

/** @type {import('../competitors').Competitor[]} */
const competitors = [
  { ...ours, name: 'without' },
  { ...ours, name: 'with cooperative', create: (kind, options) => ours.create(kind, { ...options, cooperative: true }) }
]

module.exports = { rows, competitors }
