'use strict'

// Applies content codings to a body, and faults to the coded bytes.

const zlib = require('node:zlib')

const ENCODERS = {
  gzip: (bytes, level) => zlib.gzipSync(bytes, { level }),
  deflate: (bytes, level) => zlib.deflateSync(bytes, { level }),
  raw: (bytes, level) => zlib.deflateRawSync(bytes, { level }),
  br: (bytes, level) => zlib.brotliCompressSync(bytes,
    { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: Math.min(level, 5) } }),
  zstd: zlib.zstdCompressSync ?? ((bytes) => bytes) // since Node 22.15
}

/**
 * @param {Buffer} plain
 * @param {import('./generate/coding').Coding} coding
 * @returns {Buffer}
 */
function encode (plain, { applied, fault, level }) {
  const once = applied.reduce((bytes, name) => ENCODERS[name](bytes, level), plain)
  return fault === undefined ? once : FAULTS[fault.kind](once, fault, plain)
}

const FAULTS = {
  /** A negative place counts from the end. */
  truncate: (bytes, { at }) => bytes.subarray(0, at < 0 ? Math.max(0, bytes.length + at) : place(bytes, at)),
  trail: (bytes, fault) => Buffer.concat([bytes, Buffer.from(fault.bytes, 'hex')]),
  damage (bytes, { at, mask }) {
    const damaged = Buffer.from(bytes)
    if (damaged.length > 0) damaged[place(bytes, at)] ^= mask
    return damaged
  },
  again: (bytes, { times }) => Buffer.concat(Array(times + 1).fill(bytes)),
  empty: () => Buffer.alloc(0),
  plain: (bytes, fault, plain) => plain
}

function place (bytes, permille) {
  return Math.floor(bytes.length * permille / 1000)
}

module.exports = { encode }
