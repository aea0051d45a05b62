'use strict'

// Finds the parts of a multipart body (RFC 2046, section 5.1.1). It handles
// bytes alone: HTTP, fields and all limits but that of a header are elsewhere.

const ChunkList = require('../../core/body/chunk-list')

const CR = 0x0D
const LF = 0x0A
const DASH = 0x2D
const SPACE = 0x20
const TAB = 0x09
const NONE = Buffer.alloc(0)
const HEADER_END = Buffer.from('\r\n\r\n')
const LAST_LINE = /^--[\t ]*$/ // at the end of the body
const LINE_END = 2 // bytes
const MAX_LINE = 256 // bytes, from the end of the boundary
const CONTENT = -1 // the boundary is part of the content
const CUT = -2 // the next chunk will tell

const NEVER = ': the boundary that Content-Type names never begins a line of the body; lines end with CRLF'

/**
 * Receives the parts, in order. Bytes are a range of a chunk. The scanner cannot
 * be used after one of these functions has thrown.
 *
 * @typedef {object} Handler
 * @property {(chunk: Buffer, start: number, end: number) => void} onHeader a part begins
 * @property {(chunk: Buffer, start: number, end: number) => void} onData at least one byte
 * @property {() => void} onPartEnd
 * @property {(type: 'boundary.invalid' | 'header.too.large' | 'unterminated', detail?: string) => void} onFault
 *   must throw; a boundary is invalid if too much white space follows
 */

class Scanner {
  /**
   * @param {string} boundary of characters that RFC 2046 allows
   * @param {Handler} handler
   * @param {number} maxHeader bytes
   */
  constructor (boundary, handler, maxHeader) {
    this.delimiter = Buffer.from(`\r\n--${boundary}`)
    this.handler = handler
    this.maxHeader = maxHeader
    this.scan = this.scanStart // takes what it can of the chunk; false if it needs more
    this.isInPart = false // else in the preamble, or the epilogue
    this.chunk = NONE
    this.at = 0 // of the first byte of it that is not taken yet
    this.joined = null // memory of the chunk, if it is several
    this.searched = 0 // bytes of a header, in vain, for its end
    this.shifts = null // see `findNext`
  }

  /** Bytes that are not taken yet. */
  get waitingBytes () {
    return this.chunk.length - this.at
  }

  /**
   * Adds a chunk, which `scan` takes. Bytes that wait stay in the same memory,
   * unless some of it were given to the handler: a header may come byte by byte.
   *
   * @param {boolean} mayTake whether the handler takes content now
   */
  write (chunk, mayTake) {
    if (mayTake && this.isDisproved(chunk)) this.takeContent(this.chunk.length)
    if (this.waitingBytes === 0) {
      this.joined = null
      this.chunk = chunk
    } else {
      if (this.joined === null || this.at > 0) {
        this.joined = new ChunkList()
        this.joined.write(this.chunk, this.at, this.chunk.length)
      }
      this.joined.write(chunk, 0, chunk.length)
      this.chunk = this.joined.join()
    }
    this.at = 0
  }

  /**
   * Whether the bytes that wait are content: they look like the begin of a
   * delimiter, which this chunk does not continue. Joining a chunk to them would
   * copy a file that is full of line ends whole.
   */
  isDisproved (next) {
    const { delimiter, waitingBytes: begun } = this
    if (this.scan !== this.scanContent || begun === 0 || begun >= delimiter.length) return false
    const more = Math.min(next.length, delimiter.length - begun)
    return delimiter.compare(next, 0, more, begun, begun + more) !== 0
  }

  takeContent (end) {
    const { chunk, at } = this
    this.at = end
    if (this.isInPart && at < end) this.handler.onData(chunk, at, end)
  }

  /** The body has ended, and all of it is scanned. May be called again, if storing the last part takes time. */
  finish () {
    const { chunk, delimiter } = this
    if (this.scan !== this.scanHeader) {
      const lineEnd = this.scan === this.scanStart ? '\r\n' : ''
      const rest = lineEnd + chunk.latin1Slice(this.at)
      const isDelimiter = rest.startsWith(delimiter.latin1Slice())
      if (isDelimiter && LAST_LINE.test(rest.slice(delimiter.length))) this.endPart(chunk.length, true)
    }
    if (this.scan === this.skip) return
    const isFound = this.isInPart || this.scan === this.scanHeader
    this.handler.onFault('unterminated', isFound ? '' : NEVER)
  }

  /**
   * What begins like a line, so that a delimiter there may lack the line end in front: the body, and the content
   * of a part, which is empty if the line behind its header is a boundary (RFC 2046, section 5.1.1).
   */
  scanStart () {
    const { at } = this
    const length = this.delimiter.length - LINE_END
    if (this.startsWithBoundary() && this.readLine(at + length) !== CONTENT) return this.takeLine(at + length)
    this.scan = this.scanContent
    return true
  }

  /** As far as the chunk goes. */
  startsWithBoundary () {
    const { at, chunk, delimiter, waitingBytes } = this
    const end = Math.min(delimiter.length - LINE_END, waitingBytes)
    let matched = 0
    while (matched < end && chunk[at + matched] === delimiter[LINE_END + matched]) matched++
    return matched === end
  }

  scanContent () {
    const { chunk, at, delimiter, delimiter: { length } } = this
    let found = chunk.indexOf(delimiter, at)
    if (found !== -1 && this.readLine(found + length) === CONTENT) found = this.findNext(found + length)
    this.takeContent(found === -1 ? this.findBegin() : found)
    return found !== -1 && this.takeLine(found + length)
  }

  /**
   * Finds a delimiter in a chunk that has the boundary in its content, as it may
   * be full of it: a call of `indexOf` for each takes 15 times as long. This is
   * Horspool's search, which first compares the last byte and what follows it.
   */
  findNext (at) {
    const { chunk, delimiter } = this
    const last = delimiter.length - 1
    this.shifts ??= createShifts(delimiter)
    for (let end = at; end < chunk.length; end += this.shifts[chunk[end]]) {
      if (chunk[end] !== delimiter[last] || this.readLine(end + 1) === CONTENT) continue
      let matched = 0
      while (matched < last && chunk[end - last + matched] === delimiter[matched]) matched++
      if (matched === last) return end - last
    }
    return -1
  }

  /** Where a delimiter begins that the next chunk may complete; the end of the chunk if none does. */
  findBegin () {
    const { chunk, chunk: { length }, delimiter } = this
    const least = Math.max(this.at, length - delimiter.length + 1)
    let begin = length
    while (begin > least && chunk[begin] !== CR) begin--
    // Called on the longer Buffer: Deno 2.9 bounds the range of the argument by the length of `this`.
    return chunk.compare(delimiter, 0, length - begin, begin, length) === 0 ? begin : length
  }

  /** @returns {number} where the line ends in which a boundary is followed by `start`; or CONTENT, or CUT */
  readLine (start) {
    const { chunk } = this
    const most = Math.min(start + MAX_LINE, chunk.length) - 1
    let at = start
    if (chunk[at] === DASH && chunk[at + 1] === DASH) at += 2
    while (at < most && (chunk[at] === SPACE || chunk[at] === TAB)) at++
    if (at >= most) return CUT
    return chunk[at] === CR && chunk[at + 1] === LF ? at + 2 : CONTENT
  }

  /** @param {number} start where the line goes on behind a boundary */
  takeLine (start) {
    const { chunk } = this
    const line = this.readLine(start)
    if (line !== CUT) this.endPart(line, chunk[start] === DASH)
    else if (chunk.length - start >= MAX_LINE) this.handler.onFault('boundary.invalid')
    return line !== CUT
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
    this.scan = this.scanStart
    handler.onHeader(chunk, start, Math.max(start, end))
    return true
  }

  skip () {
    this.at = this.chunk.length
    return false
  }
}

/** For each byte: how far on a delimiter may end at the earliest, if the byte is where one could have ended. */
function createShifts (delimiter) {
  const last = delimiter.length - 1
  const shifts = new Uint32Array(256).fill(delimiter.length) // a Buffer has no room for a shift over 255
  for (let at = 0; at < last; at++) shifts[delimiter[at]] = last - at
  return shifts
}

module.exports = Scanner
