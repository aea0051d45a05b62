'use strict'

// Finds the parts of a multipart body (RFC 2046, section 5.1.1). Knows bytes,
// and nothing of HTTP, of fields, or of limits other than a header's.

const Bytes = require('./bytes')

const CR = 0x0D
const LF = 0x0A
const DASH = 0x2D
const HEADER_END = Buffer.from('\r\n\r\n')
const LINE = /^(?:--)?[\t ]*\r\n/ // what makes a delimiter of a boundary that it follows
const LINE_BEGIN = /^(?:-|(?:--)?[\t ]*\r?)$/
const LAST_LINE = /^--[\t ]*$/ // at the end of the body
const MAX_LINE = 256 // bytes
const CONTENT = -1 // it is no delimiter
const CUT = -2 // the next chunk will tell

/**
 * What is told of the parts, in order. Bytes are a range of a chunk. Whatever a
 * function throws, the scanner is of no use afterwards.
 *
 * @typedef {object} Handler
 * @property {(chunk: Buffer, start: number, end: number) => void} onHeader a part begins
 * @property {(chunk: Buffer, start: number, end: number) => void} onData at least one byte
 * @property {() => void} onPartEnd
 * @property {(type: 'boundary.invalid' | 'header.too.large' | 'unterminated') => void} onFault
 *   must throw; a boundary is invalid if too many blanks follow
 */

class Scanner {
  /**
   * @param {string} boundary of characters that RFC 2046 allows
   * @param {Handler} handler
   * @param {number} maxHeader bytes
   */
  constructor (boundary, handler, maxHeader) {
    this.delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1')
    this.handler = handler
    this.maxHeader = maxHeader
    this.scan = this.scanContent // takes what it can of the chunk; false if it needs more
    this.isInPart = false // else in the preamble, or the epilogue
    this.chunk = Buffer.from('\r\n') // a body begins like a line
    this.at = 0 // of the first byte of it that is not taken yet
    this.joined = null // memory of the chunk, if it is several
    this.searched = 0 // bytes of a header in which its end is not
  }

  /** Bytes that are not taken yet. */
  get waitingBytes () {
    return this.chunk.length - this.at
  }

  /** Adds a chunk, which `scan` takes. */
  write (chunk) {
    if (this.waitingBytes > 0) {
      this.join(chunk)
    } else {
      this.joined = null
      this.chunk = chunk
    }
    this.at = 0
  }

  /** In the same memory, unless bytes of it were given to the handler: a header may come byte by byte. */
  join (chunk) {
    if (this.joined === null || this.at > 0) {
      this.joined = new Bytes()
      this.joined.write(this.chunk, this.at, this.chunk.length)
    }
    this.joined.write(chunk, 0, chunk.length)
    this.chunk = this.joined.join()
  }

  /** The body has ended, and all of it is scanned. May be called again, if the end of the last part takes its time. */
  finish () {
    const { chunk, at, delimiter } = this
    if (this.scan === this.scanContent && chunk.indexOf(delimiter, at) === at && LAST_LINE.test(chunk.latin1Slice(at + delimiter.length))) this.endPart(chunk.length, true)
    if (this.scan !== this.skip) this.handler.onFault('unterminated')
  }

  scanContent () {
    const { chunk, at, delimiter } = this
    let found = chunk.indexOf(delimiter, at)
    let line = CONTENT
    while (found !== -1 && line === CONTENT) {
      const after = found + delimiter.length
      line = this.readLine(after)
      if (line === CONTENT) found = this.findNext(after)
    }
    const end = found === -1 ? this.findBegin() : found
    this.at = end
    if (this.isInPart && at < end) this.handler.onData(chunk, at, end)
    if (line < 0) return false
    this.endPart(line, chunk[found + delimiter.length] === DASH)
    return true
  }

  /**
   * Finds another delimiter without a call of `indexOf`, which takes as long as
   * 100 bytes take here: content may be full of what begins like a delimiter.
   * Linear, as only the first byte of a delimiter is a CR.
   */
  findNext (at) {
    const { chunk, delimiter } = this
    const last = chunk.length - delimiter.length
    while (at <= last) {
      let matched = 0
      while (matched < delimiter.length && chunk[at + matched] === delimiter[matched]) matched++
      if (matched === delimiter.length) return at
      at += matched || 1
    }
    return -1
  }

  /** Where a delimiter begins that the next chunk may complete; the end of the chunk if none does. */
  findBegin () {
    const { chunk, chunk: { length }, delimiter } = this
    const least = Math.max(this.at, length - delimiter.length + 1)
    let begin = length - 1
    while (begin >= least && chunk[begin] !== CR) begin--
    return begin >= least && delimiter.compare(chunk, begin, length, 0, length - begin) === 0 ? begin : length
  }

  /** @returns {number} where the line ends in which a boundary is followed by `at`; or CONTENT, or CUT */
  readLine (at) {
    const { chunk } = this
    const byte = chunk[at]
    if (byte === CR && chunk[at + 1] === LF) return at + 2 // as most lines are
    if (byte > DASH) return CONTENT
    const text = chunk.latin1Slice(at, Math.min(at + MAX_LINE, chunk.length))
    const line = LINE.exec(text)
    if (line !== null) return at + line[0].length
    if (!LINE_BEGIN.test(text)) return CONTENT
    if (text.length === MAX_LINE) this.handler.onFault('boundary.invalid')
    return CUT
  }

  endPart (line, isLast) {
    const wasInPart = this.isInPart
    this.at = isLast ? line : line - 2
    this.isInPart = !isLast
    this.scan = isLast ? this.skip : this.scanHeader
    if (wasInPart) this.handler.onPartEnd()
  }

  /** Begins at the CRLF of the line before, as that already ends an empty header. */
  scanHeader () {
    const { chunk, at, handler, maxHeader, waitingBytes } = this
    const start = at + 2
    const end = chunk.indexOf(HEADER_END, at + this.searched)
    if (end === -1 ? waitingBytes >= maxHeader + 6 : end - start > maxHeader) handler.onFault('header.too.large')
    this.searched = end === -1 ? Math.max(0, waitingBytes - 3) : 0
    if (end === -1) return false
    this.at = end + HEADER_END.length
    this.scan = this.scanContent
    handler.onHeader(chunk, start, Math.max(start, end))
    return true
  }

  skip () {
    this.at = this.chunk.length
    return false
  }
}

module.exports = Scanner
