'use strict'

// Small coded bodies, which one call of zlib decodes. It is handed over, as this file is part of bundles.

const { gzipSize, zstdSize } = require('./frame-headers')

const MAX_CODED = 768 // bytes
const MAX_DECODED = 16 * 1024 // bytes; less is decoded in one call
const MIN_CHUNK = 64 // bytes that zlib must be given room for

/**
 * Options of zlib: one byte more, so that it sees the end within this chunk. One of its usual size takes as long to
 * allocate as a small body to decode.
 */
const roomFor = (size) => ({ chunkSize: Math.max(MIN_CHUNK, size + 1), maxOutputLength: Math.max(size, 1) })

/** Coding -> what a body says that it decodes to, and the call of zlib that decodes it. */
const LANES = {
  __proto__: null,
  gzip: [gzipSize, 'gunzipSync'],
  zstd: [zstdSize, 'zstdDecompressSync']
}

/**
 * @param {import('node:zlib')} zlib
 * @param {string} coding
 * @param {Buffer} bytes the whole body
 * @returns {Buffer | null} null if one call may take long
 * @throws {Error} as zlib does
 */
function decodeAtOnce (zlib, coding, bytes) {
  const [sizeOf, method] = LANES[coding] ?? [() => null]
  const size = sizeOf(bytes)
  return size === null || size >= MAX_DECODED ? null : zlib[method](bytes, roomFor(size))
}

module.exports = { decodeAtOnce, MAX_CODED }
