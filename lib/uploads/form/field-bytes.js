'use strict'

const { Buffer = require('../../core/bytes') } = globalThis // browsers have none (../../web)
const ChunkList = require('../../core/body/chunk-list')

const NONE = Buffer.alloc(0)

/** The bytes of a field. Mostly they are one range of a chunk, which is decoded without a copy. */
class FieldBytes {
  constructor () {
    this.length = 0
    this.chunk = NONE
    this.start = 0
    this.joined = null // ChunkList, of a field that does not end in the chunk in which it begins
  }

  write (chunk, start, end) {
    this.detach()
    if (this.joined !== null) {
      this.joined.write(chunk, start, end)
    } else {
      this.chunk = chunk
      this.start = start
    }
    this.length += end - start
  }

  /** Copies what it has, as the chunk may be much larger, and the client may stop here. */
  detach () {
    if (this.joined !== null || this.length === 0) return
    this.joined = new ChunkList()
    this.joined.write(this.chunk, this.start, this.start + this.length)
    this.chunk = NONE
  }

  /** @param {(bytes: Buffer, start: number, end: number) => string} decode */
  text (decode) {
    if (this.joined === null) return decode(this.chunk, this.start, this.start + this.length)
    return decode(this.joined.join(), 0, this.length)
  }

  /** Without the memory around the bytes. */
  copy () {
    return Buffer.from(this.joined?.join() ?? this.chunk.subarray(this.start, this.start + this.length))
  }
}

module.exports = FieldBytes
