'use strict'

const consumers = require('node:stream/consumers')
const fromPromise = require('./promise')

const READERS = { json: consumers.json, raw: consumers.buffer, text: consumers.text }

/** node:stream/consumers */
module.exports = {
  name: 'consumers',
  checks: [],
  supports: ['json', 'raw', 'text', 'lenient', 'json errors'],
  create: (kind) => fromPromise(READERS[kind])
}
