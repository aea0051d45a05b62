'use strict'

const { Buffer } = require('../../core/platform')
const ChunkList = require('../../core/source/chunk-list')

const NONE = Buffer.alloc(0)

/**
 * Collects the bytes of a field; see Part in ./form-reader.js. Most fields are within one chunk, and are decoded
 * without a copy.
 */
class FieldPart {
  isOver = false // the limit
  outcome = null
  open = null

  /**
   * @param {object} header
   * @param {number} maxSize bytes
   * @param {object} form
   * @param {(header: object) => void} form.exceedField the field is over its limit; throws, or reports it at its end
   * @param {(part: FieldPart) => void} form.addField
   */
  constructor (header, maxSize, form) {
    this.header = header
    this.maxSize = maxSize
    this.form = form
    this.length = 0 // bytes so far, as far as the limit allows them
    this.chunk = NONE
    this.start = 0
    this.joined = null // ChunkList, of a field that does not end in the chunk in which it begins
  }

  write (chunk, start, end) {
    if (this.isOver) return null
    const last = Math.min(end, start + this.maxSize - this.length)
    if (last < end) {
      this.form.exceedField(this.header)
      this.isOver = true
    }
    this.copyChunk()
    if (this.joined !== null) {
      this.joined.write(chunk, start, last)
    } else {
      this.chunk = chunk
      this.start = start
    }
    this.length += last - start
    return null
  }

  /** Copies what it has, as the chunk may be much larger, and the client may stop here. */
  copyChunk () {
    if (this.joined !== null || this.length === 0) return
    this.joined = new ChunkList()
    this.joined.write(this.chunk, this.start, this.start + this.length)
    this.chunk = NONE
  }

  end () {
    this.form.addField(this)
    return null
  }

  /** @param {(bytes: Buffer, start: number, end: number) => string} decode */
  text (decode) {
    if (this.joined === null) return decode(this.chunk, this.start, this.start + this.length)
    return decode(this.joined.join(), 0, this.length)
  }

  /** The bytes, without the memory around them. */
  copy () {
    return this.text((bytes, start, end) => Buffer.from(ChunkList.memoryOf(bytes.subarray(start, end))))
  }
}

module.exports = FieldPart
