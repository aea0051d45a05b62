'use strict'

// Compressed bodies that decode to more than a server has memory for. Where the
// content repeats, one part is compressed and used again and again.

const zlib = require('node:zlib')
const { once } = require('node:events')
const { MB } = require('./fill')

const PART = 16 * MB // bytes, decoded
const LAST_BLOCK = Buffer.from([0x03, 0x00]) // of deflate: final, empty

const zeros = () => Buffer.alloc(PART)

/** A run of deflate blocks that does not refer to what went before. */
function block (bytes, level = 9) {
  return zlib.deflateRawSync(bytes, { level, finishFlush: zlib.constants.Z_FULL_FLUSH })
}

/** @param {number} size decoded bytes, a multiple of 16 MB */
function gzipBomb (size) {
  const part = zeros()
  const count = size / PART
  let sum = 0
  for (let i = 0; i < count; i++) sum = zlib.crc32?.(part, sum) ?? 0 // a parser never gets there
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(sum, 0)
  trailer.writeUInt32LE(size % 2 ** 32, 4)
  return Buffer.concat([GZIP_HEAD, ...Array(count).fill(block(part)), LAST_BLOCK, trailer])
}

const GZIP_HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])

/** In the format that HTTP calls deflate (RFC 1950). */
function deflateBomb (size) {
  const count = size / PART
  const sum = Buffer.alloc(4)
  sum.writeUInt16BE(size % 65521, 0) // Adler-32 of zeros
  sum.writeUInt16BE(1, 2)
  return Buffer.concat([Buffer.from([0x78, 0xda]), ...Array(count).fill(block(zeros())), LAST_BLOCK, sum])
}

/** Many members, each a gzip file in itself. */
function gzipMembers (size) {
  return Buffer.concat(Array(size / PART).fill(zlib.gzipSync(zeros(), { level: 9 })))
}

async function brotliBomb (size) {
  const encoder = zlib.createBrotliCompress({
    params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 5, [zlib.constants.BROTLI_PARAM_LGWIN]: 24 }
  })
  const parts = []
  encoder.on('data', (part) => parts.push(part))
  const part = zeros()
  for (let done = 0; done < size; done += PART) {
    if (!encoder.write(part)) await once(encoder, 'drain')
  }
  encoder.end()
  await once(encoder, 'end')
  return Buffer.concat(parts)
}

/** Frames of blocks that say "this byte, 128 KiB times" (RFC 8878, section 3.1.1.2). */
function zstdBomb (size) {
  const magic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])
  const header = Buffer.from([0x00, 0x38]) // no content size; a window of 128 KiB
  const length = 128 * 1024
  const count = size / length
  const rle = (last) => {
    const bytes = Buffer.alloc(4)
    bytes.writeUIntLE((length << 3) | (1 << 1) | last, 0, 3)
    return bytes
  }
  return Buffer.concat([magic, header, ...Array(count - 1).fill(rle(0)), rle(1)])
}

module.exports = { block, brotliBomb, deflateBomb, GZIP_HEAD, gzipBomb, gzipMembers, LAST_BLOCK, zstdBomb }
