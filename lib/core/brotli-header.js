'use strict'

// The brotli decoder fills its window, of up to 16 MiB, before it hands out a
// byte, so `maxOutputLength` does not bound the time of a call: 27 bytes can
// take 8 ms. The length that the header of the stream declares does.

/**
 * How much a brotli stream decodes to, if it is one meta-block, as encoders
 * make of a small body (RFC 7932, sections 9.1 and 9.2).
 *
 * @param {Buffer} bytes
 * @returns {number} bytes; Infinity if the header does not declare it
 */
function decodedLength (bytes) {
  let at = windowBits(bytes)
  const isLast = readBits(bytes, at, 1) === 1
  if (!isLast) return Infinity
  const isEmpty = readBits(bytes, at + 1, 1) === 1
  if (isEmpty) return 0
  const nibbles = readBits(bytes, at + 2, 2) + 4
  if (nibbles === 7) return Infinity // metadata
  at += 4
  return readBits(bytes, at, nibbles * 4) + 1
}

/** How many bits declare the window size: 1, 4 or 7. */
function windowBits (bytes) {
  if (readBits(bytes, 0, 1) === 0) return 1
  return readBits(bytes, 1, 3) === 0 ? 7 : 4
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
