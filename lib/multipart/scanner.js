'use strict'

// Finds the parts of a multipart body (RFC 2046, section 5.1.1). Knows bytes,
// and nothing of HTTP, of fields, or of limits other than a header's.

const CR = 0x0D
const LF = 0x0A
const HEADER_END = Buffer.from('\r\n\r\n')
const LINE = /^(?:--)?[\t ]*\r\n/ // what makes a delimiter of a boundary that it follows
const LINE_BEGIN = /^(?:-|(?:--)?[\t ]*\r?)$/
const LAST_LINE = /^--[\t ]*$/ // at the end of the body
const MAX_LINE = 256 // bytes

/**
 * What is told of the parts, in order. Bytes are a range of a chunk: those of
 * `onHeader` may be overwritten after the call. Whatever a function throws, the
 * scanner is of no use afterwards.
 *
 * @typedef {object} Handler
 * @property {(chunk: Buffer, start: number, end: number) => void} onHeader a part begins
 * @property {(chunk: Buffer, start: number, end: number) => void} onData at least one byte
 * @property {() => void} onPartEnd
 * @property {() => void} onEnd the body has ended
 * @property {(kind: 'padding' | 'header' | 'unterminated') => void} onFault must throw:
 *   too many blanks follow a boundary, a header is too long, or the last
 *   boundary is missing
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
    this.scan = this.scanContent // takes what it can of a chunk, and returns where to go on
    this.isInPart = false // else in the preamble, or the epilogue
    // Bytes of the delimiter that ended the last chunk. As only its first byte
    // is a CR, no other match can begin in them. A body begins like a line.
    this.matched = 2
    this.lineBegin = '' // of the bytes after a boundary, from earlier chunks
    this.header = null // memory for a header that comes in several chunks
    this.headerLength = 0
    this.waiting = [] // chunks, while the scanner is blocked
    this.isBlocked = false
    this.isScanning = false
    this.isEnding = false
  }

  /** Bytes that are not scanned yet. */
  get waitingBytes () {
    return this.waiting.reduce((sum, { length }) => sum + length, 0)
  }

  write (chunk) {
    this.waiting.push(chunk)
    this.proceed()
  }

  end () {
    this.isEnding = true
    this.proceed()
  }

  /** For the handler: holds the next part, and the next chunk, back. */
  block () {
    this.isBlocked = true
  }

  unblock () {
    this.isBlocked = false
    this.proceed()
  }

  proceed () {
    if (this.isScanning) return // the handler has unblocked at once
    this.isScanning = true
    while (!this.isBlocked && this.waiting.length > 0) {
      const chunk = this.waiting.shift()
      let at = 0
      while (at < chunk.length && !this.isBlocked) at = this.scan(chunk, at)
      if (at < chunk.length) this.waiting.unshift(chunk.subarray(at))
    }
    if (this.isEnding && !this.isBlocked) this.finish()
    this.isScanning = false
  }

  finish () {
    if (this.scan === this.scanLine && LAST_LINE.test(this.lineBegin)) this.endPart(true)
    if (this.scan !== this.skip) this.handler.onFault('unterminated')
    if (this.isBlocked) return // by the end of the last part
    this.isEnding = false
    this.handler.onEnd()
  }

  scanContent (chunk, at) {
    const { delimiter, matched } = this
    if (matched > 0) {
      const end = Math.min(at + delimiter.length - matched, chunk.length)
      if (delimiter.compare(chunk, at, end, matched, matched + end - at) === 0) {
        this.matched += end - at
        if (this.matched === delimiter.length) this.scan = this.scanLine
        return end
      }
      this.emitMatched()
    }
    for (let from = at, found; (found = chunk.indexOf(delimiter, from)) !== -1;) {
      from = found + delimiter.length
      const length = this.readLine(chunk, from)
      if (length === null) continue
      this.emit(chunk, at, found)
      return length === Infinity ? this.keepLine(chunk, from) : this.endLine(from + length)
    }
    const end = this.findBegin(chunk, at)
    this.emit(chunk, at, end)
    this.matched = chunk.length - end
    return chunk.length
  }

  /** Where a delimiter begins that the next chunk may complete; the end of the chunk if none does. */
  findBegin (chunk, at) {
    const { length } = chunk
    const least = Math.max(at, length - this.delimiter.length + 1)
    let begin = length - 1
    while (begin >= least && chunk[begin] !== CR) begin--
    return begin >= least && this.delimiter.compare(chunk, begin, length, 0, length - begin) === 0 ? begin : length
  }

  scanLine (chunk, at) {
    const length = this.readLine(chunk, at)
    if (length === Infinity) return this.keepLine(chunk, at)
    if (length !== null) return this.endLine(at + length)
    const bytes = Buffer.from(this.lineBegin, 'latin1')
    this.lineBegin = ''
    this.scan = this.scanContent
    this.emitMatched()
    this.emit(bytes, 0, bytes.length)
    return at
  }

  /**
   * Reads what follows a boundary.
   *
   * @returns {number | null} bytes of this chunk up to the end of the line;
   *   Infinity if it ends in another chunk; null if the boundary is content
   */
  readLine (chunk, at) {
    const before = this.lineBegin.length
    if (before === 0 && chunk[at] === CR && chunk[at + 1] === LF) return 2 // as most lines are
    const text = this.lineBegin + chunk.latin1Slice(at, Math.min(at + MAX_LINE - before, chunk.length))
    const line = LINE.exec(text)
    if (line !== null) {
      this.lineBegin = line[0]
      return line[0].length - before
    }
    if (!LINE_BEGIN.test(text)) return null
    if (text.length === MAX_LINE) this.handler.onFault('padding')
    return Infinity
  }

  keepLine (chunk, at) {
    this.lineBegin += chunk.latin1Slice(at)
    this.matched = this.delimiter.length
    this.scan = this.scanLine
    return chunk.length
  }

  endLine (at) {
    this.endPart(this.lineBegin[0] === '-')
    return at
  }

  endPart (isLast) {
    const wasInPart = this.isInPart
    this.lineBegin = ''
    this.matched = 0
    this.isInPart = !isLast
    this.scan = isLast ? this.skip : this.scanHeader
    if (wasInPart) this.handler.onPartEnd()
  }

  scanHeader (chunk, at) {
    const { handler, maxHeader } = this
    if (this.headerLength === 0) {
      // Begins at the CRLF of the line before, which already ends an empty header.
      const end = at < 2 ? -1 : chunk.indexOf(HEADER_END, at - 2)
      if (end !== -1 && end <= at + maxHeader) {
        this.scan = this.scanContent
        handler.onHeader(chunk, at, Math.max(at, end))
        return end + HEADER_END.length
      }
      this.header ??= Buffer.allocUnsafe(2 + maxHeader + HEADER_END.length)
      this.headerLength = this.header.write('\r\n')
    }
    const before = this.headerLength
    this.headerLength += chunk.copy(this.header, before, at)
    const end = this.header.subarray(0, this.headerLength).indexOf(HEADER_END, Math.max(0, before - 3))
    if (end === -1) {
      if (this.headerLength === this.header.length) handler.onFault('header')
      return chunk.length
    }
    this.headerLength = 0
    this.scan = this.scanContent
    handler.onHeader(this.header, 2, Math.max(2, end))
    return at + end + HEADER_END.length - before
  }

  skip (chunk) {
    return chunk.length
  }

  /** What looked like a delimiter in earlier chunks is content. */
  emitMatched () {
    const { delimiter, matched } = this
    this.matched = 0
    this.emit(delimiter, 0, matched)
  }

  emit (chunk, start, end) {
    if (this.isInPart && start < end) this.handler.onData(chunk, start, end)
  }
}

module.exports = Scanner
