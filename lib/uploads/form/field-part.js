'use strict'

const FieldBytes = require('./field-bytes')

/** A field, whose bytes are collected; see Part in ./form-reader.js. */
class FieldPart {
  isOver = false
  outcome = null
  open = null

  /**
   * @param {import('../parts/header').PartHeader} header
   * @param {number} maxSize bytes
   * @param {{ refuseFieldSize: () => never, addField: (header: object, bytes: FieldBytes) => void }} form
   */
  constructor (header, maxSize, form) {
    this.header = header
    this.maxSize = maxSize
    this.isBounded = maxSize !== Infinity
    this.form = form
    this.size = 0 // bytes so far
    this.bytes = new FieldBytes()
  }

  get length () {
    return this.bytes.length
  }

  write (chunk, start, end, keeps) {
    this.size += end - start
    if (this.size > this.maxSize) this.form.refuseFieldSize()
    if (keeps) this.bytes.write(chunk, start, end)
    return null
  }

  end () {
    this.form.addField(this.header, this.bytes)
    return null
  }

  detach () {
    this.bytes.detach()
  }
}

module.exports = FieldPart
