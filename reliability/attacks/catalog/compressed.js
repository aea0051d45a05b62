'use strict'

// Compressed bodies that decode to more than a server has memory for.

const { Readable } = require('node:stream')
const { buffer } = require('node:stream/consumers')
const zlib = require('node:zlib')
const { MB } = require('./fill')

const PART = 16 * MB // bytes, decoded
const zeros = () => Buffer.alloc(PART)

const { BROTLI_PARAM_LGWIN, BROTLI_PARAM_QUALITY } = zlib.constants

const ENCODERS = {
  gzip: () => zlib.createGzip({ level: 9 }),
  deflate: () => zlib.createDeflate({ level: 9 }),
  br: () => zlib.createBrotliCompress({ params: { [BROTLI_PARAM_QUALITY]: 5, [BROTLI_PARAM_LGWIN]: 24 } }),
  zstd: () => zlib.createZstdCompress()
}

/**
 * @param {keyof ENCODERS} coding
 * @param {number} size decoded bytes, a multiple of 16 MB; all are zeros
 * @returns {Promise<Buffer>}
 */
function bombOf (coding, size) {
  return buffer(Readable.from(Array(size / PART).fill(zeros())).pipe(ENCODERS[coding]()))
}

/** Many members, each a gzip file in itself. */
function gzipMembers (size) {
  return Buffer.concat(Array(size / PART).fill(zlib.gzipSync(zeros(), { level: 9 })))
}

module.exports = { bombOf, gzipMembers }
