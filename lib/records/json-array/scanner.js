'use strict'

// Finds where items of an array end, in bytes that may be cut anywhere. What is
// not JSON is left to JSON.parse: up to the first fault of a text, the brackets,
// the strings and the commas that are found here are those of its grammar.

const { BACKSLASH, CLOSE_BRACE, COMMA, OPEN_BRACE, QUOTE } = require('../../json-keys/text')

const LF = 0x0A
const CR = 0x0D
const BRACE_BIT = 0x20 // by which braces differ from brackets

class Scanner {
  constructor () {
    this.lineStart = 0 // offset in the body of the line that was begun last
    this.last = 0 // byte of the chunk before
    this.restart(0)
  }

  /** At the beginning of an item. @param {number} breaks ends of lines before it, in the array */
  restart (breaks) {
    this.depth = 1 // of open containers, the array included; 0 behind its end
    this.isInString = false
    this.isEscaped = false // the next byte of that string is
    this.breaks = breaks
    this.cut = -1 // index of the last comma between two items, or of the bracket that closes the array
    this.cutBreaks = breaks // there
    this.cutLineStart = this.lineStart
  }

  /**
   * @param {Uint8Array} bytes
   * @param {number} start
   * @param {number} end
   * @param {number} base offset of `bytes` in the body
   * @param {boolean} isSingle whether to stop at the first comma between two items
   * @returns {number} index of `end`, or behind such a comma; or that of the bracket which closes the array
   */
  scan (bytes, start, end, base, isSingle) {
    let at = this.isInString ? this.endString(bytes, start, end) : start
    let { breaks, depth, lineStart } = this
    let cut = -1
    while (at < end) {
      const byte = bytes[at++]
      if (byte > COMMA) {
        const code = byte | BRACE_BIT
        if (code === OPEN_BRACE) depth++
        else if (code === CLOSE_BRACE && --depth === 0) {
          cut = this.markCut(--at, breaks, lineStart)
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
      } else if (byte === COMMA) {
        if (depth !== 1) continue
        cut = this.markCut(at - 1, breaks, lineStart)
        if (isSingle) break
      } else if (byte === LF || byte === CR) { // both together end one line
        const isSecond = byte === LF && (at > 1 ? bytes[at - 2] : this.last) === CR
        if (!isSecond) breaks++
        lineStart = base + at
      }
    }
    if (at > start) this.last = bytes[at - 1]
    this.breaks = breaks
    this.cut = cut
    this.depth = depth
    this.lineStart = lineStart
    return at
  }

  markCut (at, breaks, lineStart) {
    this.cutBreaks = breaks
    this.cutLineStart = lineStart
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
