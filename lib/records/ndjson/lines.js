'use strict'

// Bytes, which may be cut anywhere -> the texts of lines that are not blank. Needs
// nothing of Node.

const ChunkList = require('../../core/source/chunk-list')
const { isBlank } = require('../../json-keys/text')

const LINE_FEED = 0x0A
const CARRIAGE_RETURN = 0x0D
const MAX_ENDING = 2 // bytes that may stand before a separator and end the record: CR, or LF and CR LF in a sequence
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
    this.mark = String.fromCharCode(this.separator)
    this.maxBytes = maxBytes
    this.decode = decode
    this.bytes = NONE // the lines that are being read, each with its separator
    this.text = '' // the same, decoded
    this.at = 0 // index in `text` of the next character to look at
    this.start = 0 // index in `text` of the line that was read last
    this.line = isSequence ? 0 : 1 // the number of that line
    this.rest = NONE // the bytes of the chunk that follow `bytes`
    this.offset = 0 // of `bytes` in the body
    this.found = { line: this.line, at: 0 } // the line that `place` has last looked for, and its index in `bytes`
    this.part = ChunkList.ofCopies() // of a line whose end has not arrived
    this.isSkipping = false // whether that line is too large, so that the rest of it is dropped
    this.tooLarge = null // the place of the line for which `next` has just returned undefined
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
   * @returns {string | undefined | null} the next line that is not blank; undefined: one that is too large; null: more
   *   bytes are needed
   */
  next () {
    do {
      const { separator, text } = this
      let { at } = this
      for (; at < text.length; at++) {
        const code = text.charCodeAt(at)
        if (code === separator) {
          this.line++
          this.start = at + 1
        } else if (!isBlank(code)) {
          this.at = text.indexOf(this.mark, at) // each line has its end
          return text.slice(at, this.at)
        }
      }
      this.at = at
    } while (this.open())
    return this.tooLarge === null ? null : undefined
  }

  /** Decodes the next bytes. @returns {boolean} whether there may be a line in them */
  open () {
    const { found, line, maxBytes, rest, separator } = this
    this.offset += this.bytes.length
    this.bytes = NONE
    this.text = ''
    this.at = this.start = found.at = 0
    found.line = line
    this.tooLarge = null
    if (rest.length === 0) return false
    const end = rest.indexOf(separator) + 1
    const isSingle = end === 0 || end > maxBytes || this.part.length > 0 || this.isSkipping
    const length = isSingle ? end || rest.length : rest.lastIndexOf(separator, maxBytes) + 1
    const bytes = rest.subarray(0, length)
    this.rest = rest.subarray(length)
    this.bytes = isSingle ? this.join(bytes, end > 0) : bytes
    this.text = this.decode(this.bytes)
    if (this.offset === 0 && this.text.charCodeAt(0) === BYTE_ORDER_MARK) this.at = 1
    return this.tooLarge === null
  }

  /** Adds to a line that comes in parts. @returns {Uint8Array} the whole line; empty before its end */
  join (bytes, isEnd) {
    const { part, place } = this
    if (this.isSkipping) this.offset += bytes.length
    else part.write(bytes)
    const isTooLarge = this.isTooLarge(isEnd)
    const line = isEnd && !isTooLarge ? part.join() : NONE
    if (isTooLarge) {
      this.offset += part.length
      this.tooLarge = place
    }
    if (isEnd && (isTooLarge || this.isSkipping)) this.line++
    if (isEnd || isTooLarge) {
      this.part = ChunkList.ofCopies()
      this.isSkipping = !isEnd
    }
    return line
  }

  /** Whether the line that comes in parts is too large, without the characters that end it. */
  isTooLarge (isEnd) {
    const { maxBytes, part, separator } = this
    const length = isEnd ? part.length - 1 : part.length
    if (length <= maxBytes) return false
    if (length > maxBytes + MAX_ENDING) return true
    const bytes = part.join()
    let end = length
    if (separator === RECORD_SEPARATOR && bytes[end - 1] === LINE_FEED) end-- // RFC 7464, section 2.2
    if (bytes[end - 1] === CARRIAGE_RETURN) end--
    return end > maxBytes
  }

  /**
   * Where the line begins that was read last. A character has at least as many
   * bytes as code units: if both lengths are equal, each character is one byte, and
   * an index in the text is one in the bytes.
   */
  get place () {
    const { bytes, found, line, offset, separator, start, text, tooLarge } = this
    if (tooLarge !== null) return tooLarge
    if (text.length === bytes.length) return { line, offset: offset + start }
    for (; found.line < line; found.line++) found.at = bytes.indexOf(separator, found.at) + 1
    return { line, offset: offset + found.at }
  }

  get bufferedBytes () {
    return this.part.tail.length + this.bytes.length + this.rest.length
  }
}

module.exports = Lines
