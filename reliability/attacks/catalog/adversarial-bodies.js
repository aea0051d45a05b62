'use strict'

// Coded bodies that take as long as possible to decode for their size.

const zlib = require('node:zlib')

/** Writes bits from the least significant up, as DEFLATE does. */
class BitWriter {
  bytes = []
  used = 8

  write (value, count) {
    for (let bit = 0; bit < count; bit++) {
      if (this.used === 8) {
        this.bytes.push(0)
        this.used = 0
      }
      const last = this.bytes.length - 1
      this.bytes[last] |= ((value >> bit) & 1) << this.used++
    }
  }

  /** Huffman codes of DEFLATE start with their most significant bit. */
  writeCode (code, count) {
    for (let bit = count - 1; bit >= 0; bit--) this.write(code >> bit, 1)
  }
}

/**
 * Empty DEFLATE blocks, each with Huffman codes of its own for
 * which the decoder builds a table of 576 entries (RFC 1951, section 3.2.7).
 */
function deflateTables (size) {
  const out = new BitWriter()
  while (out.bytes.length < size - 30) writeTableBlock(out, 0)
  writeTableBlock(out, 1)
  return Buffer.from(out.bytes)
}

function writeTableBlock (out, final) {
  out.write(final, 1)
  out.write(2, 2) // dynamic codes
  out.write(0, 5) // 257 literals and lengths
  out.write(0, 5) // 1 distance
  out.write(15, 4) // 19 code length codes
  // In the order of the RFC: four bits each for 1 to 15 and 18 (a run of zeros).
  for (let i = 0; i < 19; i++) out.write([0, 1, 3].includes(i) ? 0 : 4, 3)
  for (const run of [138, 103]) {
    out.writeCode(15, 4) // 18
    out.write(run - 11, 7)
  }
  for (const length of [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15, 1]) out.writeCode(length - 1, 4)
  out.writeCode(0, 4) // the distance: 1 bit
  out.write(0, 1) // end of block
}

/** Wraps DEFLATE's bytes. */
function gzipMember (deflated) {
  const plain = zlib.inflateRawSync(deflated)
  const header = Buffer.from([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3])
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(zlib.crc32(plain), 0)
  trailer.writeUInt32LE(plain.length, 4)
  return Buffer.concat([header, deflated, trailer])
}

/** Empty gzip members, one after the other. */
function gzipMembers (size) {
  const member = zlib.gzipSync(Buffer.alloc(0))
  return Buffer.concat(Array(Math.floor(size / member.length)).fill(member))
}

/** A few bytes that fill Brotli's largest window before anything comes out. */
function brotliWindow () {
  const { BROTLI_PARAM_LGWIN, BROTLI_PARAM_QUALITY } = zlib.constants
  const plain = Buffer.alloc(16 * 1024 * 1024, 'a')
  return zlib.brotliCompressSync(plain, { params: { [BROTLI_PARAM_LGWIN]: 24, [BROTLI_PARAM_QUALITY]: 5 } })
}

module.exports = { brotliWindow, deflateTables, gzipMember, gzipMembers }
