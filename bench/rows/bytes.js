'use strict'

// Text and raw bodies: nothing is parsed, so all of the time is reading.

const { json } = require('./bodies')
const { post } = require('./row')

function text (bytes) {
  const content = json(bytes)
  return { bytes: content.bytes, value: content.bytes.toString() }
}

function raw (bytes) {
  const content = json(bytes)
  return { bytes: content.bytes, value: content.bytes }
}

/** @type {import('./row').Row[]} */
module.exports = [
  { name: 'text 274 B', requires: ['text'], build: () => post('text', text(274)) },
  { name: 'text 60 KB', requires: ['text'], build: () => post('text', text(60000)) },
  { name: 'raw 274 B', requires: ['raw'], build: () => post('raw', raw(274)) },
  { name: 'raw 60 KB', requires: ['raw'], build: () => post('raw', raw(60000)) }
]
