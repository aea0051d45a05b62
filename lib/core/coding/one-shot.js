'use strict'

// Which coded bodies one call of zlib may decode. Needs nothing of Node but the Buffers that it gets (../../web).

const MAX_CODED = 768 // bytes
const MAX_DECODED = 16 * 1024 // bytes; less is decoded in one call
const MIN_CHUNK = 64 // bytes that zlib must be given room for

const GZIP_MAGIC = Uint8Array.of(0x1F, 0x8B, 0x08) // what each member begins with
const HEADER = 10 // bytes, without optional fields

/**
 * Whether one call decodes gzip (RFC 1952) in so little time that it may hold
 * the event loop. What takes long is building the tables of a block, and a
 * crafted body has hundreds of blocks: so one member of one block, which says
 * that it decodes to little. An encoder that is given a small body at once
 * makes just that.
 *
 * @param {Buffer} bytes
 * @returns {number | null} that size; null if it may take long
 */
function gzipSize (bytes) {
  if (bytes.length <= HEADER || bytes[3] !== 0) return null // optional fields
  const isLastBlock = (bytes[HEADER] & 1) === 1
  return isLastBlock && !bytes.includes(GZIP_MAGIC, HEADER) ? bytes.readUInt32LE(bytes.length - 4) : null
}

const ZSTD_MAGIC = 0xFD2FB528 // what a frame begins with, little-endian
const DESCRIPTOR = 4 // index
const HAS_CHECKSUM = 0x04
const IS_LAST = 0x01

/** Size flag -> bytes of the field, and what its value lacks. Those of 8 bytes are for sizes that are not small. */
const FIELDS = [[1, 0], [2, 256], [4, 0]]

/**
 * What zstd (RFC 8878) says that it decodes to, if one call may decode it: a
 * frame without a window of its own, as the content is the window: an encoder
 * that is given a body at once makes it. Of one block, as each may have tables,
 * which take long to build; and it fills the body, so nothing is cut off.
 *
 * @param {Buffer} bytes
 * @returns {number | null} null if it is no such frame
 */
function zstdSize (bytes) {
  if (bytes.length < DESCRIPTOR + 5 || bytes.readUInt32LE(0) !== ZSTD_MAGIC) return null
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

module.exports = { decodeAtOnce, gzipSize, MAX_CODED, zstdSize }
