'use strict'

// Which coded bodies one call of zlib may decode. Needs nothing of Node but the Buffers that it gets (../../web).

const MAX_CODED = 768 // bytes
const MAX_DECODED = 16 * 1024 // bytes; less is decoded in one call
const MIN_CHUNK = 64 // bytes that zlib must be given room for

const MAGIC = Uint8Array.of(0x1F, 0x8B, 0x08) // what each member begins with
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
  return isLastBlock && !bytes.includes(MAGIC, HEADER) ? bytes.readUInt32LE(bytes.length - 4) : null
}

/**
 * Options of zlib: one byte more, so that it sees the end within this chunk. One of its usual size takes as long to
 * allocate as a small body to decode.
 */
const roomFor = (size) => ({ chunkSize: Math.max(MIN_CHUNK, size + 1), maxOutputLength: Math.max(size, 1) })

module.exports = { gzipSize, MAX_CODED, MAX_DECODED, roomFor }
