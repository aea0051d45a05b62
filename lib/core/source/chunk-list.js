'use strict'

const { Buffer } = require('../platform')

const SMALL = 2048 // bytes; a Buffer of its own takes about 200 bytes more than it holds
const MIN_TAIL = 64 // bytes
const NONE = Buffer.alloc(0)

/** Collects chunks, which are taken one by one or joined. Small ones are copied together; large ones are not copied. */
class ChunkList {
  /**
   * @param {Uint8Array[]} [list] the first pieces, which are not copied
   * @param {number} [maxTail] bytes, the most that small pieces are copied into
   * @param {number} [minSize] bytes, below which a piece is copied
   */
  constructor (list = [], maxTail = Infinity, minSize = SMALL) {
    this.length = 0 // of what was written
    this.list = list // the pieces before those in `tail`
    this.tail = NONE // memory of the latest small pieces
    this.filled = 0 // bytes of it that are in use
    this.maxTail = maxTail
    this.minSize = minSize
  }

  /** One that copies every piece, as each may be a part of a chunk that is much larger. */
  static ofCopies () {
    return new ChunkList([], Infinity, Infinity)
  }

  write (chunk, start = 0, end = chunk.length) {
    const piece = end - start === chunk.length ? chunk : chunk.subarray(start, end) // subarray is slow
    this.length += piece.length
    if (piece.length < this.minSize) this.appendCopy(piece)
    else this.pieces().push(piece)
  }

  appendCopy (piece) {
    if (this.filled + piece.length > this.maxTail) this.pieces()
    const needed = this.filled + piece.length
    if (needed > this.tail.length) {
      const tail = Buffer.allocUnsafe(Math.max(MIN_TAIL, needed + this.filled))
      tail.set(this.tail.subarray(0, this.filled))
      this.tail = tail
    }
    this.tail.set(piece, this.filled)
    this.filled = needed
  }

  /** All pieces. What is in the tail becomes one of them. */
  pieces () {
    if (this.filled > 0) this.list.push(this.tail.subarray(0, this.filled))
    this.tail = NONE
    this.filled = 0
    return this.list
  }

  /** Takes the first piece. */
  shift () {
    if (this.list.length === 0) this.pieces()
    const piece = this.list.shift()
    this.length -= piece.length
    return piece
  }

  /** @returns {Buffer} all in one piece, which later writes do not change */
  join () {
    if (this.list.length > 0) {
      this.tail = Buffer.concat(this.pieces(), this.length)
      this.filled = this.length
      this.list = []
    }
    return this.tail.subarray(0, this.filled)
  }
}

/**
 * Node's requests emit Buffers, but strings after `req.setEncoding`; other streams may emit any view, and those in
 * object mode anything.
 *
 * @returns {Buffer | null} null if the piece is neither bytes nor a string
 */
function toBuffer (piece) {
  if (Buffer.isBuffer(piece)) return piece
  if (typeof piece === 'string') return Buffer.from(piece)
  if (!ArrayBuffer.isView(piece)) return null
  if (piece.byteLength === 0) return Buffer.alloc(0) // other code may have taken its memory
  return Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
}

/** A copy, if the bytes would keep much more memory than they need. */
function trim (bytes) {
  return bytes.length * 2 < bytes.buffer.byteLength ? Buffer.from(bytes) : bytes
}

/** @returns {ArrayBuffer} that has these bytes alone, so that the app may transfer it. Mostly they fill theirs. */
function memoryOf (bytes) {
  return bytes.length < bytes.buffer.byteLength ? new Uint8Array(bytes).buffer : bytes.buffer
}

module.exports = ChunkList
module.exports.memoryOf = memoryOf
module.exports.toBuffer = toBuffer
module.exports.trim = trim
