'use strict'

const { PIECE_SIZE, decodableLength } = require('./utf8')

const BYTE_ORDER_MARK = Buffer.from('\uFEFF')

/** UTF-8 text as the Buffers in which it was received; iterates over them. */
class BufferChunks {
  /**
   * @param {Buffer[]} list the first three are not empty, so that they hold a
   *   whole byte order mark if there is one
   * @param {number} length of all of them together, in bytes
   */
  constructor (list, length) {
    this.list = list
    this.length = length
  }

  /** @param {Buffer[]} list may have empty chunks */
  static from (list) {
    const chunks = list.filter((chunk) => chunk.length > 0)
    return new BufferChunks(chunks, chunks.reduce((sum, chunk) => sum + chunk.length, 0))
  }

  [Symbol.iterator] () {
    return this.list.values()
  }

  /**
   * @param {number} [from=0] bytes; at the beginning of a character
   * @param {number} [to=Infinity] bytes
   * @yields {string} the text between the two, in pieces
   */
  * decode (from = 0, to = Infinity) {
    let rest = Buffer.alloc(0)
    let offset = 0
    for (const chunk of this.list) {
      if (offset >= to) break
      const end = Math.min(to - offset, chunk.length)
      for (let at = Math.max(from - offset, 0); at < end; at += PIECE_SIZE) {
        const bytes = Buffer.concat([rest, chunk.subarray(at, Math.min(at + PIECE_SIZE, end))])
        const length = decodableLength(bytes)
        yield bytes.toString('utf8', 0, length)
        rest = bytes.subarray(length)
      }
      offset += chunk.length
    }
    yield rest.toString()
  }

  /** @returns {BufferChunks} the same text without one byte order mark at its start */
  withoutByteOrderMark () {
    const { length } = BYTE_ORDER_MARK
    const head = Buffer.concat(this.list.slice(0, length).map((chunk) => chunk.subarray(0, length)))
    if (!head.subarray(0, length).equals(BYTE_ORDER_MARK)) return this
    let left = length
    const list = this.list.map((chunk) => {
      const rest = chunk.subarray(left)
      left -= chunk.length - rest.length
      return rest
    })
    return new BufferChunks(list, this.length - length)
  }
}

module.exports = BufferChunks
