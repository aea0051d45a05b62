'use strict'

// Finds where items of an array end, in bytes that may be cut anywhere. What is
// not JSON is left to JSON.parse: up to the first fault of a text, the brackets,
// the strings and the commas that are found here are those of its grammar.

const { BACKSLASH, CLOSE_BRACE, COMMA, OPEN_BRACE, QUOTE, SPACE } = require('../../json-keys/text')

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
    let at = this.isInString ? this.endString(bytes, start, end) : start
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
        while (at < end) { // as in `endString`: a call for each string takes a third of the time
          last = bytes[at++]
          if (last === QUOTE) break
          if (last === BACKSLASH) at++
        }
        if (last !== QUOTE) at = this.interruptString(at, end)
      } else if (byte === COMMA && depth === 1) {
        cut = at - 1
        if (isSingle) break
      }
    }
    this.cut = cut
    this.depth = depth
    return at
  }

  endString (bytes, start, end) {
    let at = this.isEscaped ? start + 1 : start
    while (at < end) {
      const byte = bytes[at++]
      if (byte === QUOTE) {
        this.isInString = false
        return at
      }
      if (byte === BACKSLASH) at++
    }
    return this.interruptString(at, end)
  }

  /** @param {number} at index of the next byte that is not escaped */
  interruptString (at, end) {
    this.isInString = true
    this.isEscaped = at > end
    return end
  }
}

module.exports = Scanner
