'use strict'

// Coded bodies that have come in one piece.

const oneShot = require('../core/coding/one-shot')
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

module.exports = { decodeAtOnce, MAX_CODED }
