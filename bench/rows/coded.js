'use strict'

const { brotliCompressSync, deflateSync, gzipSync } = require('node:zlib')
const { json } = require('./bodies')
const { post } = require('./row')

const ENCODERS = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }

function row (coding, label, size) {
  const build = () => {
    const { bytes, value } = json(size)
    const content = { bytes: ENCODERS[coding](bytes), value }
    // One at a time, most of body-parser's time would be the wait for zlib's threads.
    return post('json', content, { headers: { 'Content-Encoding': coding }, served: true })
  }
  return { name: `json ${label}, ${coding}`, requires: ['json', coding], build }
}

/** @type {import('./row').Row[]} */
module.exports = [
  row('gzip', '274 B', 274),
  ...Object.keys(ENCODERS).flatMap((coding) => [
    row(coding, '300 B', 300),
    row(coding, '6.5 KB', 6558),
    row(coding, '60 KB', 60000)
  ])
]
