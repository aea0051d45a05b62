'use strict'

// What a small zstd body (RFC 8878) says that it decodes to, if one call may decode it.

const MAGIC = 0xFD2FB528 // what a frame begins with, little-endian
const DESCRIPTOR = 4 // index
const HAS_CHECKSUM = 0x04
const IS_LAST = 0x01

/** Size flag -> bytes of the field, and what its value lacks. Those of 8 bytes are for sizes that are not small. */
const FIELDS = [[1, 0], [2, 256], [4, 0]]

/**
 * A frame without a window of its own, as the content is the window: an encoder
 * that is given a body at once makes it. Of one block, as each may have tables,
 * which take long to build; and it fills the body, so nothing is cut off.
 *
 * @param {Buffer} bytes
 * @returns {number | null} null if it is no such frame
 */
function zstdSize (bytes) {
  if (bytes.length < DESCRIPTOR + 5 || bytes.readUInt32LE(0) !== MAGIC) return null
  const descriptor = bytes[DESCRIPTOR]
  const isPlain = (descriptor & 0x2B) === 0x20 // one segment, no dictionary, and the reserved bit is 0
  const field = FIELDS[descriptor >> 6]
  if (!isPlain || field === undefined) return null
  const [length, lacking] = field
  const block = DESCRIPTOR + 1 + length
  if (bytes.length < block + 3) return null
  const header = bytes.readUIntLE(block, 3)
  const isRepeated = (header >> 1 & 0x03) === 1 // one byte, for as many as its size
  const end = block + 3 + (isRepeated ? 1 : header >> 3) + ((descriptor & HAS_CHECKSUM) === 0 ? 0 : 4)
  const isWhole = (header & IS_LAST) === 1 && end === bytes.length
  return isWhole ? bytes.readUIntLE(DESCRIPTOR + 1, length) + lacking : null
}

module.exports = zstdSize
