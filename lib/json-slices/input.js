'use strict'

const { BACKSLASH, COLON, LOWER_U, isBlank, skipBlanks } = require('../json-keys/text')
const { countBackslashes } = require('./tokens')
const { PIECE_SIZE, decodableLength } = require('./utf8')

/**
 * The bytes that were added to a parser, but are not parsed yet. Copies each piece to the same memory: a list of pieces
 * (../core/source/chunk-list.js) would allocate anew for each.
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

  /**
   * Reads `"name":`, with optional white space around each part.
   *
   * @returns {string} the name
   * @throws {SyntaxError} with any message, if it is something else
   */
  nameTo (end) {
    const { bytes } = this
    let colon = end - 1
    while (isBlank(bytes[colon])) colon--
    const name = bytes[colon] === COLON ? JSON.parse(this.textTo(colon)) : null
    if (typeof name !== 'string') throw new SyntaxError('not a name')
    return name
  }

  /**
   * Where the content of a string that goes on in later bytes can be divided: not within an escape, and not within a
   * character of several bytes.
   *
   * @returns {number} the last such index
   */
  findDivision () {
    const { bytes, bytes: { length }, start } = this
    for (let at = length - 1; at >= start && at >= length - 5; at--) {
      if (bytes[at] !== BACKSLASH) continue
      const startsEscape = countBackslashes(bytes, start, at) % 2 === 0
      const escapeEnd = at + (bytes[at + 1] === LOWER_U ? 6 : 2) // `\u0000` or `\n`
      if (startsEscape && escapeEnd > length) return at
      break
    }
    return start + decodableLength(bytes.subarray(start))
  }
}

module.exports = Input
