'use strict'

const FieldBytes = require('./field-bytes')

/** A field, whose bytes are collected; see Part in ./form-reader.js. */
class FieldPart {
  isOver = false
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
    this.size = 0 // bytes so far, as far as the limit allows them
    this.bytes = new FieldBytes()
  }

  get length () {
    return this.bytes.length
  }

  get isBounded () {
    return this.maxSize !== Infinity && !this.isOver
  }

  write (chunk, start, end, keeps) {
    if (this.isOver) return null
    const last = Math.min(end, start + this.maxSize - this.size)
    if (last < end) {
      this.form.exceedField(this.header)
      this.isOver = true
    }
    this.size += last - start
    if (keeps) this.bytes.write(chunk, start, last)
    return null
  }

  end () {
    this.form.addField(this)
    return null
  }

  detach () {
    this.bytes.detach()
  }
}

module.exports = FieldPart
