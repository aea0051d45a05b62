'use strict'

// The brotli decoder fills its window, of up to 16 MiB, before it hands out a
// byte, so `maxOutputLength` does not bound the time of a call: 27 bytes can
// take 8 ms. What does is the length that the stream's header tells.

/**
 * How much a brotli stream decodes to, if it is all in one meta-block, as
 * encoders make it of a small body (RFC 7932, sections 9.1 and 9.2).
 *
 * @param {Buffer} bytes
 * @returns {number} bytes; Infinity if the header does not tell
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

/** How many bits the window size takes at the start: 1, 4 or 7. */
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

/**
 * Whether a decoder throws at what is no brotli: Deno's returns as much as it
 * could decode, as if that were all. Its stream tells of most faults.
 *
 * @param {(bytes: Buffer) => Buffer} decode
 * @returns {boolean}
 */
function findsFaults (decode) {
  try {
    decode(Buffer.of(0xFF))
    return false
  } catch {
    return true
  }
}

module.exports = { decodedLength, findsFaults }
