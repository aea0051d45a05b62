'use strict'

// Bytes -> the texts of records. A separator ends each line; chunks may be cut
// anywhere. Needs nothing of Node.

const ByteArray = require('../body/byte-array')
const errors = require('../errors')
const { isBlank } = require('../engine/text')

const LINE_FEED = 0x0A
const RECORD_SEPARATOR = 0x1E // of application/json-seq, where it begins each text (RFC 7464, section 2.2)
const BYTE_ORDER_MARK = 0xFEFF
const NONE = new Uint8Array()

class Lines {
  /**
   * @param {object} format
   * @param {boolean} format.isSequence whether it is application/json-seq
   * @param {(bytes: Uint8Array) => string} format.decode keeps a byte order mark
   * @param {number} maxBytes of a line
   */
  constructor ({ isSequence, decode }, maxBytes) {
    this.separator = isSequence ? RECORD_SEPARATOR : LINE_FEED
    this.maxBytes = maxBytes
    this.decode = decode
    this.bytes = NONE // the lines that are being read, each with its separator
    this.text = '' // the same, decoded
    this.at = 0 // index in `text`
    this.line = isSequence ? 0 : 1 // the number of the line that was read last
    this.rest = NONE // bytes of the chunk behind `bytes`
    this.offset = 0 // of `bytes` in the body
    this.found = { line: this.line, at: 0 } // where `place` has last found a line in `bytes`
    this.part = new ByteArray() // of a line whose end has not come
    this.isSkipping = false // that line is too long
  }

  /** @param {Uint8Array} chunk called when the chunks before have no further line */
  write (chunk) {
    this.rest = chunk
  }

  /** The last line may lack its separator. */
  end () {
    this.rest = Uint8Array.of(this.separator)
  }

  /**
   * @returns {string | null} the next line that is not blank; null: more bytes are needed
   * @throws {Error} 413 for a line that is too long, after which the next one can be read
   */
  next () {
    do {
      this.skipBlanks()
      if (this.at < this.text.length) return this.takeLine()
    } while (this.open())
    return null
  }

  skipBlanks () {
    const { separator, text } = this
    let { at, line } = this
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === separator) line++
      else if (!isBlank(code)) break
    }
    this.at = at
    this.line = line
  }

  takeLine () {
    const { at, separator, text } = this
    this.at = text.indexOf(String.fromCharCode(separator), at) // each line has its end
    return text.slice(at, this.at)
  }

  /** Goes on in the bytes. @returns {boolean} whether there were any */
  open () {
    const { found, line, maxBytes, rest, separator } = this
    this.offset += this.bytes.length
    this.bytes = NONE
    this.text = ''
    this.at = found.at = 0
    found.line = line
    if (rest.length === 0) return false
    const end = rest.indexOf(separator) + 1
    const isAlone = end === 0 || end > maxBytes || this.part.size > 0 || this.isSkipping
    const length = isAlone ? end || rest.length : rest.lastIndexOf(separator, maxBytes) + 1
    const bytes = rest.subarray(0, length)
    this.rest = rest.subarray(length)
    this.bytes = isAlone ? this.join(bytes, end > 0) : bytes
    this.text = this.decode(this.bytes)
    if (this.offset === 0 && this.text.charCodeAt(0) === BYTE_ORDER_MARK) this.at = 1
    return true
  }

  /** A line that comes in parts. @returns {Uint8Array} nothing before its end */
  join (bytes, isEnd) {
    const { maxBytes, part, place } = this
    if (this.isSkipping) this.offset += bytes.length
    else part.append(bytes)
    const isTooLong = part.size - (isEnd ? 1 : 0) > maxBytes
    const line = isEnd && !isTooLong ? part.view() : NONE
    if (isTooLong) this.offset += part.size
    if (isEnd && (isTooLong || this.isSkipping)) this.line++
    if (isEnd || isTooLong) {
      this.part = new ByteArray()
      this.isSkipping = !isEnd
    }
    if (isTooLong) throw errors.recordTooLarge(maxBytes, place)
    return line
  }

  /** Where the line begins that was read last. Counts bytes, as its text may be longer or shorter. */
  get place () {
    const { bytes, found, line, offset, separator } = this
    for (; found.line < line; found.line++) found.at = bytes.indexOf(separator, found.at) + 1
    return { line, offset: offset + found.at }
  }

  get heldBytes () {
    return this.part.bytes.length + this.bytes.length + this.rest.length
  }
}

module.exports = Lines
