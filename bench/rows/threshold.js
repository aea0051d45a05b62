'use strict'

const { json } = require('../bodies')
const { post } = require('./row')

const needs = ['json']
const LIMIT = 16 * 1024 * 1024 // bytes

/** @type {import('./row').Row[]} */
module.exports = [
  { name: 'cooperative, 274 B', needs, close: true, heap: true, build: () => post('json', json(274)) },
  { name: 'cooperative, 274 B, as a server feeds it', needs, close: true, build: () => post('json', json(274), { served: true }) },
  { name: 'cooperative, 6.5 KB', needs, close: true, heap: true, build: () => post('json', json(6558)) },
  { name: 'cooperative, 208 KB', needs, close: true, build: () => post('json', json(208500), { options: { limit: LIMIT }, chunk: 64 * 1024 }) }
]
