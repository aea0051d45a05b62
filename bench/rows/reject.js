'use strict'

// Requests that are refused: what a flood of bad ones costs.

const { json } = require('./bodies')
const { post } = require('./row')

const LARGE = json(110000) // over the usual limit of 100 KiB
const CHUNK = 64 * 1024 // bytes
const BAD = { bytes: Buffer.from(json(274).bytes.toString().replace('"active":', '"active"')) }

/** @type {import('./row').Row[]} */
module.exports = [
  {
    name: 'refused: over the limit by its length',
    requires: ['json', 'length limit'],
    build: () => ({ ...post('json', LARGE, { chunk: CHUNK }), status: 413 })
  },
  {
    name: 'refused: over the limit by its bytes',
    requires: ['json', 'byte limit'],
    build: () => ({ ...post('json', LARGE, { chunk: CHUNK, chunked: true }), status: 413 })
  },
  {
    name: 'refused: bad JSON',
    requires: ['json', 'json errors'],
    build: () => ({ ...post('json', BAD), status: 400 })
  },
  {
    name: 'refused: wrong charset',
    requires: ['json', 'charset errors'],
    build: () => ({
      ...post('json', json(274), { headers: { 'Content-Type': 'application/json; charset=latin1' } }),
      status: 415
    })
  }
]
