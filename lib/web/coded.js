'use strict'

// Coded bodies that have come in one piece.

const { gzipSize, MAX_CODED, MAX_DECODED, roomFor, zstdSize } = require('../core/coding/one-shot')
const ChunkSource = require('./chunk-source')
const { findZlib } = require('./node')

/** Coding -> what a body says that it decodes to, if one call may decode it, and that call. */
const LANES = {
  gzip: [gzipSize, 'gunzipSync'],
  zstd: [zstdSize, 'zstdDecompressSync']
}

/**
 * @param {string} coding
 * @param {Uint8Array} coded
 * @returns {Uint8Array | null} null if a stream has to decode it, or to find what is wrong with it
 */
function decodeAtOnce (coding, coded) {
  const zlib = findZlib()
  const lane = LANES[coding]
  if (zlib === undefined || lane === undefined || coded.length > MAX_CODED) return null
  const [sizeOf, method] = lane
  const bytes = globalThis.Buffer.from(coded.buffer, coded.byteOffset, coded.length)
  const size = sizeOf(bytes)
  if (size === null || size >= MAX_DECODED) return null
  try {
    return zlib[method](bytes, roomFor(size))
  } catch {
    return null
  }
}

/** In place of a BodyStream: gives a body that is there. */
class WholeBody extends ChunkSource {
  isEnded = true // nothing is to be read off

  /** @param {Uint8Array} bytes */
  constructor (bytes) {
    super()
    this.bytes = bytes
  }

  read (onChunk) {
    const { bytes } = this
    this.bytes = null
    onChunk(bytes)
  }

  close () {}
}

module.exports = { decodeAtOnce, MAX_CODED, WholeBody }
