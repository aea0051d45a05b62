'use strict'

const { json } = require('../bodies')
const { post } = require('./row')

const needs = ['json']

function large (bytes, ascii) {
  return post('json', json(bytes, ascii), { options: { limit: '2mb' }, chunk: 64 * 1024 })
}

/** @type {import('./row').Row[]} */
module.exports = [
  { name: 'strategies, 300 B', needs, close: true, heap: true, build: () => post('json', json(300)) },
  { name: 'strategies, 208 KB', needs, close: true, heap: true, build: () => large(208500, true) },
  { name: 'strategies, 208 KB, not ASCII', needs, close: true, build: () => large(208500, false) },
  { name: 'strategies, 1 MB', needs, close: true, build: () => large(1048576, true) }
]
