'use strict'

// What a message of JSON.parse tells about text that is not given to it any more.

const CONTEXT = 10 // characters that V8 quotes before a fault, and behind it
const QUOTED_WHOLE = 2 * CONTEXT + 1 // characters; of longer texts, V8 quotes a part

const LF = 0x0A
const CR = 0x0D

/** What a message may tell about the text before the one given to JSON.parse. */
class PrecedingText {
  constructor () {
    this.length = 0
    this.tail = '' // the last QUOTED_WHOLE characters
    this.line = 1 // in which it ends
    this.lineStart = 0 // index of the first character in this line
  }

  /** A line ends in CR, LF, or CR LF. */
  add (text) {
    let last = this.tail.charCodeAt(this.tail.length - 1)
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index)
      if (code === LF || code === CR) {
        if (code === CR || last !== CR) this.line++
        this.lineStart = this.length + index + 1
      }
      last = code
    }
    this.append(text)
  }

  /**
   * Adds text that does not begin within CR LF.
   *
   * @param {number} breaks how many lines end in it
   */
  skip (text, breaks) {
    if (breaks > 0) this.lineStart = this.length + startOfLastLine(text)
    this.line += breaks
    this.append(text)
  }

  append (text) {
    this.length += text.length
    this.tail = text.length < QUOTED_WHOLE ? (this.tail + text).slice(-QUOTED_WHOLE) : text.slice(-QUOTED_WHOLE)
  }
}

/** @returns {number} index in a text that has such a line */
function startOfLastLine (text) {
  const lineFeed = text.lastIndexOf('\n')
  const hasReturn = text.includes('\r', lineFeed + 1) // far faster than `lastIndexOf` in a text that has none
  return (hasReturn ? text.lastIndexOf('\r') : lineFeed) + 1
}

/** `at position 9`; since Node 22, `at position 9 (line 2 column 3)`. */
function correctPosition (message, stub, text, preceding) {
  return message.replace(/at position (\d+)( \(line \d+ column \d+\))?/, (match, digits, lineAndColumn) => {
    preceding.add(text.slice(0, digits - stub.length))
    const { length, line, lineStart } = preceding
    const position = `at position ${length}`
    return lineAndColumn === undefined ? position : `${position} (line ${line} column ${length - lineStart + 1})`
  })
}

module.exports = { CONTEXT, PrecedingText, QUOTED_WHOLE, correctPosition }
