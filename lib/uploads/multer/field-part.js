'use strict'

const FieldBytes = require('../form/field-bytes')

/** A field, of which no more is kept than its limit allows; see Part in ../form/form-reader.js. */
class FieldPart {
  outcome = null
  open = null

  /**
   * @param {import('./header').PartHeader} header
   * @param {import('./form')} form gets the field
   */
  constructor (header, form) {
    this.header = header
    this.form = form
    this.maxSize = form.limits.fieldSize
    this.size = 0 // bytes that were kept
    this.isOver = false // the error follows at its end
    this.bytes = new FieldBytes()
  }

  get length () {
    return this.bytes.length
  }

  get isBounded () {
    return this.form.limits.isTotalDerived && !this.isOver && this.maxSize !== Infinity
  }

  write (chunk, start, end, keeps) {
    if (this.isOver) return null
    const last = Math.min(end, start + this.maxSize - this.size)
    this.size += last - start
    if (keeps) this.bytes.write(chunk, start, last)
    if (last < end) {
      this.isOver = true
      this.form.cutField = this.header
    }
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
