'use strict'

// The brotli decoder fills its window, of up to 16 MiB, before it hands out a
// byte, so `maxOutputLength` does not bound the time of a call, which a few
// bytes make long (bench/studies/inflate.js). The length in the header does.

/**
 * How much a brotli stream decodes to, if it is one meta-block, as encoders
 * make of a small body (RFC 7932, sections 9.1 and 9.2).
 *
 * @param {Buffer} bytes
 * @returns {number} bytes; Infinity if the header does not declare it
 */
function decodedLength (bytes) {
  // The window size takes 1, 4 or 7 bits.
  const at = readBits(bytes, 0, 1) === 0 ? 1 : readBits(bytes, 1, 3) === 0 ? 7 : 4
  const isLast = readBits(bytes, at, 1) === 1
  if (!isLast) return Infinity
  const isEmpty = readBits(bytes, at + 1, 1) === 1
  if (isEmpty) return 0
  const nibbles = readBits(bytes, at + 2, 2) + 4
  if (nibbles === 7) return Infinity // metadata
  return readBits(bytes, at + 4, nibbles * 4) + 1
}

/** A number of `count` bits, the least significant one first. */
function readBits (bytes, at, count) {
  let value = 0
  for (let i = 0; i < count; i++) {
    value |= ((bytes[(at + i) >> 3] >> ((at + i) & 7)) & 1) << i
  }
  return value
}

module.exports = decodedLength
