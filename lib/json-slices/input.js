'use strict'

const { skipBlanks } = require('../json-keys/text')
const { PIECE_SIZE } = require('./utf8')

/**
 * The bytes that were added to a parser, but are not parsed yet. Keeps its memory: ../core/source/chunk-list.js would
 * take other memory for each piece of 32 KB, and 5 us instead of 1.
 */
class Input {
  constructor () {
    this.buffer = Buffer.allocUnsafeSlow(2 * PIECE_SIZE)
    this.bytes = this.buffer.subarray(0, 0) // the part of the buffer that is in use
    this.start = 0 // all before this index into `bytes` is parsed
  }

  /**
   * Drops the bytes that are parsed, and adds others.
   *
   * @param {Uint8Array} piece is copied
   * @returns {number} how many bytes were dropped: other indexes into `bytes`
   *   become less by that
   */
  append (piece) {
    const { start, bytes } = this
    const rest = bytes.length - start
    const length = rest + piece.length
    if (length > this.buffer.length) {
      this.buffer = Buffer.allocUnsafeSlow(Math.max(length, 2 * this.buffer.length))
      this.buffer.set(bytes.subarray(start))
    } else {
      this.buffer.copyWithin(0, start, bytes.length)
    }
    this.buffer.set(piece, rest)
    this.bytes = this.buffer.subarray(0, length)
    this.start = 0
    return start
  }

  textTo (end) {
    return this.bytes.toString('utf8', this.start, end)
  }

  isBlankTo (end) {
    return skipBlanks(this.bytes, this.start, end) === end
  }

  dropBlanks (end) {
    this.start = skipBlanks(this.bytes, this.start, end)
  }
}

module.exports = Input
