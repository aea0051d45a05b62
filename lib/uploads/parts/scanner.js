'use strict'

// Finds the parts of a multipart body (RFC 2046, section 5.1.1). It handles
// bytes alone: HTTP, fields and all limits but that of a header are elsewhere.

const ChunkList = require('../../core/source/chunk-list')
const { Buffer, searchesSlowly } = require('../../core/platform')

const CR = 0x0D
const LF = 0x0A
const DASH = 0x2D
const SPACE = 0x20
const TAB = 0x09
const NUL = 0x00
const NONE = Buffer.alloc(0)
const HEADER_END = Buffer.from('\r\n\r\n')
const LAST_LINE = /^--[\t ]*\0?$/ // at the end of the body
const LINE_END = 2 // bytes
const MAX_LINE = 256 // bytes, from the end of the boundary
const NO_BOUNDARY = -1 // the line is part of the content
const CUT = -2 // the next chunk will tell
const BARE = -3 // the line of the first boundary ends with LF or CR alone

// What the scanner finds.
const HEADER = 'header' // a part begins
const CONTENT = 'content' // at least one byte of the part
const PART_END = 'part end'
const NOTHING = 'nothing' // that a form needs
const MORE = null // bytes are needed

const NEVER = ': the boundary that Content-Type names never begins a line of the body; lines end with CRLF'
const NO_LAST = ': the body ends before the last boundary'

const TOGETHER = ': those of the parts so far have too many bytes together'

/**
 * `next` tells what comes next. A header and content are the bytes from `start` to
 * `end` of `found`, until the next call.
 */
class Scanner {
  /**
   * @param {string} boundary of characters that RFC 2046 allows
   * @param {number} maxHeader bytes
   * @param {(type: 'boundary.invalid' | 'header.too.large' | 'headers.too.large' | 'unterminated', detail?: string) =>
   *   never} fail throws; a boundary is invalid if too much white space follows
   * @param {number} [maxPerPart] bytes of headers on average, besides twice `maxHeader` for a form: reading a byte of
   *   them takes longer than one of content
   */
  constructor (boundary, maxHeader, fail, maxPerPart = Infinity) {
    this.delimiter = Buffer.from(`\r\n--${boundary}`)
    this.maxHeader = maxHeader
    this.maxPerPart = maxPerPart
    this.roomForHeaders = 2 * maxHeader // bytes, besides those for each part
    this.fail = fail
    this.found = NONE // has what was found last
    this.start = 0 // index in `found`
    this.end = 0 // index in `found`
    this.scan = this.scanStart // finds one thing in the chunk
    this.isInPart = false // else in the preamble, or the epilogue
    this.chunk = NONE
    this.at = 0 // of the first byte of it that is not taken yet
    this.joined = null // what has joined several chunks to the one that is scanned
    this.disproved = null // content that looked like the begin of a delimiter
    this.searched = 0 // bytes of a header, in vain, for its end
    this.shifts = null // see `findNext`
  }

  /** Bytes that are not taken yet. */
  get waitingBytes () {
    return this.chunk.length - this.at
  }

  /** @returns {'header' | 'content' | 'part end' | null} null if more bytes are needed */
  next () {
    if (this.disproved !== null) return this.giveDisproved()
    let found
    do found = this.scan(); while (found === NOTHING)
    return found
  }

  give (what, chunk, start, end) {
    this.found = chunk
    this.start = start
    this.end = end
    return what
  }

  giveDisproved () {
    const bytes = this.disproved
    this.disproved = null
    return this.give(CONTENT, bytes, 0, bytes.length)
  }

  /**
   * Adds a chunk, once `next` has returned null. Bytes that wait stay in the same memory,
   * unless some of it were found before: a header may come byte by byte.
   */
  write (chunk) {
    if (this.isDisproved(chunk)) {
      this.disproved = this.chunk.subarray(this.at)
      this.at = this.chunk.length
    }
    if (this.waitingBytes === 0) {
      this.joined = null
      this.chunk = chunk
    } else {
      if (this.joined === null || this.at > 0) {
        this.joined = new ChunkList()
        this.joined.write(this.chunk, this.at, this.chunk.length)
      }
      this.joined.write(chunk)
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

  /**
   * The body has ended, and all of it is scanned.
   *
   * @returns {'part end' | null} null once there are no more parts
   */
  endBody () {
    const { chunk, delimiter } = this
    if (this.scan !== this.scanHeader) {
      const lineEnd = this.scan === this.scanStart ? '\r\n' : ''
      const rest = lineEnd + chunk.latin1Slice(this.at)
      const isDelimiter = rest.startsWith(delimiter.latin1Slice())
      const isLast = isDelimiter && LAST_LINE.test(rest.slice(delimiter.length))
      if (isLast && this.endPart(chunk.length, true) === PART_END) return PART_END
    }
    if (this.scan === this.skip) return null
    const isFound = this.isInPart || this.scan === this.scanHeader
    return this.fail('unterminated', isFound ? NO_LAST : NEVER)
  }

  /**
   * What begins like a line, so that a delimiter there may lack the line end in front: the body, and the content
   * of a part, which is empty if the line behind its header is a boundary (RFC 2046, section 5.1.1).
   */
  scanStart () {
    const { at } = this
    const length = this.delimiter.length - LINE_END
    if (this.startsWithBoundary() && this.readLine(at + length) !== NO_BOUNDARY) return this.takeLine(at + length)
    this.scan = this.isInPart ? this.scanContent : this.scanPreamble
    return NOTHING
  }

  /** As far as the chunk goes. */
  startsWithBoundary () {
    const { at, chunk, delimiter, waitingBytes } = this
    const end = Math.min(delimiter.length - LINE_END, waitingBytes)
    let matched = 0
    while (matched < end && chunk[at + matched] === delimiter[LINE_END + matched]) matched++
    return matched === end
  }

  /**
   * What is in front of the first boundary should end with CRLF. Where it ends with LF alone, a byte order mark or
   * anything else, the boundary counts all the same: else the first part would be lost without a word. Only the last
   * boundary, behind which nothing is read, has to begin a line. For the same reason, a first boundary whose line ends
   * with LF alone is refused.
   */
  scanPreamble () {
    const line = this.delimiter.subarray(LINE_END)
    let found = this.findNext(this.at + line.length - 1, line)
    while (found !== -1 && this.isLastWithinLine(found, line.length)) found = this.findNext(found + line.length, line)
    const end = found === -1 ? this.chunk.length - line.length + 1 : found
    this.at = Math.max(this.at, end - LINE_END) // these two bytes tell whether a boundary begins a line
    if (found === -1) return MORE
    this.shifts = null // those of content are others
    return this.takeLine(found + line.length)
  }

  isLastWithinLine (at, length) {
    const { chunk } = this
    const isLast = chunk[at + length] === DASH && chunk[at + length + 1] === DASH
    return isLast && !(chunk[at - 2] === CR && chunk[at - 1] === LF)
  }

  scanContent () {
    const { chunk, at, delimiter, delimiter: { length } } = this
    if (at === chunk.length) return MORE
    let found = searchesSlowly ? this.findNext(at + length - 1) : chunk.indexOf(delimiter, at)
    if (found !== -1 && this.readLine(found + length) === NO_BOUNDARY) found = this.findNext(found + length)
    if (found !== -1) this.scan = this.scanDelimiter
    const end = this.at = found === -1 ? this.findBegin() : found
    if (end === chunk.length) this.write(NONE) // the app may transfer the memory of what it is given
    if (at < end) return this.give(CONTENT, chunk, at, end)
    return found === -1 ? MORE : NOTHING
  }

  /** The chunk is at one that `scanContent` has found. */
  scanDelimiter () {
    this.scan = this.scanContent // again, if the next chunk makes content of it
    return this.takeLine(this.at + this.delimiter.length)
  }

  /**
   * Finds a delimiter in a chunk that has the boundary in its content. The chunk may be full of it, and then a call of
   * `indexOf` for each would be much slower than this search (Horspool's), which first compares the last byte, and what
   * follows it.
   *
   * @param {number} at of the first byte that may be the last one of it
   * @param {Buffer} [wanted] without the line end in front of it, in a preamble
   */
  findNext (at, wanted = this.delimiter) {
    const { chunk } = this
    const last = wanted.length - 1
    this.shifts ??= createShifts(wanted)
    for (let end = at; end < chunk.length; end += this.shifts[chunk[end]]) {
      if (chunk[end] !== wanted[last] || this.readLine(end + 1) === NO_BOUNDARY) continue
      let matched = 0
      while (matched < last && chunk[end - last + matched] === wanted[matched]) matched++
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

  /** @returns {number} where the line ends in which a boundary is followed by `start`; or NO_BOUNDARY, CUT or BARE */
  readLine (start) {
    const { chunk } = this
    const most = Math.min(start + MAX_LINE, chunk.length) - 1
    const isLast = chunk[start] === DASH && chunk[start + 1] === DASH
    let at = isLast ? start + 2 : start
    while (at < most && (chunk[at] === SPACE || chunk[at] === TAB)) at++
    if (at >= most) return CUT
    if (chunk[at] === NUL && isLast) return at // some clients fill their last block up
    if (chunk[at] === CR && chunk[at + 1] === LF) return at + 2
    return (chunk[at] === CR || chunk[at] === LF) && !isLast && !this.isInPart ? BARE : NO_BOUNDARY
  }

  /** @param {number} start where the line goes on behind a boundary */
  takeLine (start) {
    const { chunk } = this
    const line = this.readLine(start)
    if (line === BARE) this.fail('unterminated', NEVER)
    if (line !== CUT) return this.endPart(line, chunk[start] === DASH)
    return chunk.length - start >= MAX_LINE ? this.fail('boundary.invalid') : MORE
  }

  endPart (line, isLast) {
    const wasInPart = this.isInPart
    this.at = isLast ? line : line - 2
    this.isInPart = !isLast
    this.scan = isLast ? this.skip : this.scanHeader
    return wasInPart ? PART_END : NOTHING
  }

  /** Begins at the CRLF of the line before, as that already ends an empty header. */
  scanHeader () {
    const { chunk, at, maxHeader, waitingBytes } = this
    const start = at + 2
    const end = chunk.indexOf(HEADER_END, at + this.searched)
    if (end === -1 ? waitingBytes >= maxHeader + 6 : end - start > maxHeader) this.fail('header.too.large')
    this.searched = end === -1 ? Math.max(0, waitingBytes - 3) : 0
    if (end === -1) return MORE
    this.roomForHeaders += this.maxPerPart - Math.max(0, end - start)
    if (this.roomForHeaders < 0) this.fail('headers.too.large', TOGETHER)
    this.at = end + HEADER_END.length
    this.scan = this.scanStart
    return this.give(HEADER, chunk, start, Math.max(start, end))
  }

  skip () {
    this.at = this.chunk.length
    return MORE
  }
}

/** For each byte: how far on a delimiter may end at the earliest, if the byte is where one could have ended. */
function createShifts (delimiter) {
  const last = delimiter.length - 1
  const shifts = new Uint32Array(256).fill(delimiter.length) // a Buffer has no room for a shift over 255
  for (let at = 0; at < last; at++) shifts[delimiter[at]] = last - at
  return shifts
}

module.exports = { CONTENT, HEADER, PART_END, Scanner }
