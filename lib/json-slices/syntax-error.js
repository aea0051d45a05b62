'use strict'

// The SyntaxError that JSON.parse would throw for a whole text, when the text before the fault is no longer in memory.

const CONTEXT = 10 // characters that V8 quotes before a fault, and behind it
const QUOTED_WHOLE = 2 * CONTEXT + 1 // characters; of longer texts, V8 quotes a part
const PADDING = ' '.repeat(QUOTED_WHOLE)

/** Bytes from a fault on that a message may quote: up to three make a UTF-16 code unit, and the last may be cut. */
const BYTES_BEHIND = QUOTED_WHOLE * 3 + 3

const LF = 0x0A
const CR = 0x0D
const ONES = 0x01010101 // 1 in each byte of a word: times this, its highest byte is the sum of all

/** What a message may say about text that JSON.parse does not get. */
class PrecedingText {
  constructor () {
    this.length = 0
    this.tail = '' // the last QUOTED_WHOLE characters
    this.line = 1 // number of the last line
    this.lineStart = 0 // index of its first character
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
   * Adds text that does not begin within CR LF, in less time.
   *
   * @param {string} text
   * @param {Uint8Array} bytes that are this text
   */
  skip (text, bytes) {
    const breaks = countLineBreaks(bytes, text)
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

/**
 * @param {Uint8Array} bytes
 * @param {string} text that they are
 * @returns {number} how many lines end in it: by CR, LF, or CR LF
 */
function countLineBreaks (bytes, text) {
  if (text.includes('\r')) return countSingly(bytes)
  return text.includes('\n') ? countLineFeeds(bytes) : 0
}

function countSingly (bytes) {
  let count = 0
  let last = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === CR || (byte === LF && last !== CR)) count++
    last = byte
  }
  return count
}

/** By words of four bytes, which is faster: text with indentation has a line for each 20 bytes. */
function countLineFeeds (bytes) {
  const { buffer, byteOffset, length } = bytes
  const first = -byteOffset & 3
  if (length < first) return countSingly(bytes)
  const words = new Int32Array(buffer, byteOffset + first, (length - first) >> 2)
  let count = countSingly(bytes.subarray(0, first)) + countSingly(bytes.subarray(first + words.length * 4))
  for (let at = 0; at < words.length; at++) count += 4 - (Math.imul(findOthers(words[at]), ONES) >>> 24)
  return count
}

/** @returns {number} 1 in each byte that is not LF: XOR leaves a bit of it, which the sum carries to the highest */
function findOthers (word) {
  const rest = word ^ 0x0A0A0A0A
  return ((rest & 0x7F7F7F7F) + 0x7F7F7F7F | rest) >>> 7 & ONES
}

/** The place where a text is not JSON. */
class SyntaxFault {
  /**
   * @param {import('./grammar').Grammar} grammar that finds the fault
   * @param {PrecedingText} preceding the text before it
   */
  constructor (grammar, preceding) {
    this.grammar = grammar
    this.preceding = preceding
    this.behind = new Uint8Array(BYTES_BEHIND)
    this.written = 0 // bytes of it
  }

  /** @param {Uint8Array} bytes the next ones, from the fault on */
  write (bytes) {
    const piece = bytes.subarray(0, BYTES_BEHIND - this.written)
    this.behind.set(piece, this.written)
    this.written += piece.length
  }

  /** Whether all bytes that a message may quote have been written. */
  get isWhole () {
    return this.written === BYTES_BEHIND
  }

  /**
   * @param {(bytes: Uint8Array) => string} decode
   * @returns {SyntaxError | null} the one that JSON.parse throws for the whole text; null only if the app has replaced
   *   JSON.parse by a more lenient function
   */
  toError (decode) {
    const { grammar, preceding, preceding: { length, tail } } = this
    const behind = decode(this.behind.subarray(0, this.written))
    if (length < QUOTED_WHOLE) return errorOf(tail + behind)
    const before = PADDING + grammar.prefix // stands for the text before the fault
    const error = errorOf(before + behind)
    if (error === null) return null
    const message = error.message.replace(`..."${before.slice(-CONTEXT)}`, () => `..."${tail.slice(-CONTEXT)}`)
    return new SyntaxError(correctPosition(message, before, behind, preceding))
  }
}

/** `at position 9`; since Node 22, `at position 9 (line 2 column 3)`. */
function correctPosition (message, before, text, preceding) {
  return message.replace(/at position (\d+)( \(line \d+ column \d+\))?/, (match, digits, lineAndColumn) => {
    preceding.add(text.slice(0, digits - before.length))
    const { length, line, lineStart } = preceding
    const position = `at position ${length}`
    return lineAndColumn === undefined ? position : `${position} (line ${line} column ${length - lineStart + 1})`
  })
}

/** @returns {SyntaxError | null} null if JSON.parse accepts the text */
function errorOf (text) {
  try {
    JSON.parse(text)
    return null
  } catch (error) {
    return error
  }
}

module.exports = { PrecedingText, SyntaxFault, errorOf }
