'use strict'

// Small coded bodies that decode to large ones.

const { Readable } = require('node:stream')
const { buffer } = require('node:stream/consumers')
const zlib = require('node:zlib')
const attackOn = require('./attack')
const { MB } = require('./fill')

const GB = 1024 * MB
const PART = 16 * MB // bytes, decoded
const TOO_LARGE = ['413 entity.too.large']

const { BROTLI_PARAM_LGWIN, BROTLI_PARAM_QUALITY } = zlib.constants
const ENCODERS = {
  gzip: () => zlib.createGzip({ level: 9 }),
  deflate: () => zlib.createDeflate({ level: 9 }),
  br: () => zlib.createBrotliCompress({ params: { [BROTLI_PARAM_QUALITY]: 5, [BROTLI_PARAM_LGWIN]: 24 } }),
  zstd: () => zlib.createZstdCompress()
}

/** @returns {Promise<Buffer>} zeros in a coding; `size` is a multiple of PART */
const bombOf = (coding, size) => buffer(Readable.from(zeros(size)).pipe(ENCODERS[coding]()))
const zeros = (size) => Array(size / PART).fill(Buffer.alloc(PART))

/** Many members, each a gzip file in itself. */
function gzipMembers (size) {
  return Buffer.concat(Array(size / PART).fill(zlib.gzipSync(Buffer.alloc(PART), { level: 9 })))
}

/** An attack on a JSON parser of 1 MB, by a body in that coding. */
function bomb (name, what, coding, make, more) {
  const message = async () => ({ headers: { 'Content-Encoding': coding }, pieces: [await make()] })
  return attackOn('json', message, { name, what, expect: TOO_LARGE, ...more })
}

const made = {} // a second attack of the same bytes need not wait seconds for them
const gigabyteOf = (coding) => (made[coding] ??= bombOf(coding, GB))

const bombs = [
  bomb('bomb-gzip', '1 GB of zeros in 1 MB of gzip', 'gzip', () => gigabyteOf('gzip')),
  bomb('bomb-deflate', '1 GB of zeros in 1 MB of deflate', 'deflate', () => gigabyteOf('deflate')),
  bomb('bomb-br', '1 GB of zeros in 809 bytes of brotli', 'br', () => gigabyteOf('br')),
  bomb('bomb-members', '64 gzip members of 16 MB each', 'gzip', () => gzipMembers(GB)),
  bomb('bomb-zstd', '1 GB of zeros in 32 KB of zstd', 'zstd', () => gigabyteOf('zstd'))
].filter(({ name }) => name !== 'bomb-zstd' || zlib.createZstdCompress)

module.exports = { bombs, bombOf, gzipMembers }
