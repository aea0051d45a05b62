'use strict'

// Finds where items of an array end, in bytes that may be cut anywhere. What is
// not JSON is left to JSON.parse: up to the first fault of a text, the brackets,
// the strings and the commas that are found here are those of its grammar.

const { BACKSLASH, CLOSE_BRACE, COMMA, OPEN_BRACE, QUOTE, SPACE } = require('../../json-keys/text')
const { NEAR, findQuote } = require('../../json-slices/quote')

const BRACE_BIT = 0x20 // by which braces differ from brackets

class Scanner {
  constructor () {
    this.restart()
  }

  /** At the beginning of an item. */
  restart () {
    this.depth = 1 // of open containers, the array included; 0 behind its end
    this.isInString = false
    this.isEscaped = false // the next byte of that string is
    this.cut = -1 // index of the last comma between two items, or of the bracket that closes the array
  }

  /**
   * @param {Uint8Array} bytes
   * @param {number} start
   * @param {number} end
   * @param {boolean} isSingle whether to stop at the first comma between two items
   * @returns {number} index of `end`, or behind such a comma; or that of the bracket which closes the array
   */
  scan (bytes, start, end, isSingle) {
    let at = this.isInString ? this.endString(bytes, this.isEscaped ? start + 1 : start, end) : start
    let { depth } = this
    let cut = -1
    while (at < end) {
      const byte = bytes[at++]
      if (byte <= SPACE) { // text with indentation is half spaces
        while (bytes[at] === SPACE) at++
      } else if (byte > COMMA) {
        const code = byte | BRACE_BIT
        if (code === OPEN_BRACE) depth++
        else if (code === CLOSE_BRACE && --depth === 0) {
          cut = --at
          break
        }
      } else if (byte === QUOTE) {
        let last = 0
        const near = at + NEAR < end ? at + NEAR : end
        while (at < near) { // as in `findQuote`: a call for each string takes a third of the time
          last = bytes[at++]
          if (last === QUOTE) break
          if (last === BACKSLASH) at++
        }
        if (last !== QUOTE) at = this.endString(bytes, at, end)
      } else if (byte === COMMA && depth === 1) {
        cut = at - 1
        if (isSingle) break
      }
    }
    this.cut = cut
    this.depth = depth
    return at
  }

  /** @param {number} start index of the next byte of a string that is not escaped */
  endString (bytes, start, end) {
    const quote = findQuote(bytes, start, end)
    this.isInString = quote >= end
    this.isEscaped = quote > end
    return this.isInString ? end : quote + 1
  }
}

module.exports = Scanner
