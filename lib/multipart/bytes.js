'use strict'

const SMALL = 4096 // bytes; each piece takes some 200 bytes of its own
const NONE = Buffer.alloc(0)

/** Bytes that come in pieces. Small ones are copied together; large ones are not copied. */
class Bytes {
  constructor () {
    this.length = 0
    this.list = [] // the pieces before those in:
    this.tail = NONE // of which so many bytes are in use:
    this.filled = 0
  }

  write (chunk, start, end) {
    this.length += end - start
    if (end - start < SMALL) this.append(chunk, start, end)
    else this.pieces().push(chunk.subarray(start, end))
    return true
  }

  append (chunk, start, end) {
    const filled = this.filled + end - start
    if (filled > this.tail.length) {
      const tail = Buffer.allocUnsafe(filled + this.filled)
      this.tail.copy(tail, 0, 0, this.filled)
      this.tail = tail
    }
    chunk.copy(this.tail, this.filled, start, end)
    this.filled = filled
  }

  pieces () {
    if (this.filled > 0) this.list.push(this.tail.subarray(0, this.filled))
    this.tail = NONE
    this.filled = 0
    return this.list
  }

  /** One piece, which more are written behind: those that were returned before stay as they are. */
  join () {
    if (this.list.length > 0) {
      this.tail = Buffer.concat(this.pieces(), this.length)
      this.filled = this.length
      this.list = []
    }
    return this.tail.subarray(0, this.filled)
  }
}

module.exports = Bytes
