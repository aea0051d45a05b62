'use strict'

// Coded bodies that have come in one piece.

const oneShot = require('../core/coding/one-shot')
const ChunkSource = require('./chunk-source')
const { findZlib } = require('./node')

const { MAX_CODED } = oneShot

/**
 * @param {string} coding
 * @param {Uint8Array} coded
 * @returns {Uint8Array | null} null if a stream has to decode it, or to find what is wrong with it
 */
function decodeAtOnce (coding, coded) {
  const zlib = findZlib()
  if (zlib === undefined || coded.length > MAX_CODED) return null
  try {
    return oneShot.decodeAtOnce(zlib, coding, globalThis.Buffer.from(coded.buffer, coded.byteOffset, coded.length))
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
