'use strict'

// Requests that are refused: what a flood of bad ones costs.

const { json } = require('./bodies')
const { post } = require('./row')

const LARGE = json(110000) // over the usual limit of 100 KiB
const CHUNK = 64 * 1024 // bytes
const BAD = { bytes: Buffer.from(json(274).bytes.toString().replace('"active":', '"active"')) }
const LATIN1 = { headers: { 'Content-Type': 'application/json; charset=latin1' } }

function refused (what, requires, status, content, how) {
  const build = () => ({ ...post('json', content, how), status })
  return { name: `refused: ${what}`, requires: ['json', requires], build }
}

/** @type {import('./row').Row[]} */
module.exports = [
  refused('over the limit by its length', 'length limit', 413, LARGE, { chunk: CHUNK }),
  refused('over the limit by its bytes', 'byte limit', 413, LARGE, { chunk: CHUNK, chunked: true }),
  refused('bad JSON', 'json errors', 400, BAD),
  refused('wrong charset', 'charset errors', 415, json(274), LATIN1)
]
