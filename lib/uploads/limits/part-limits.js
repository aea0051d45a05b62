'use strict'

// Options `parts` and `fields`: how many a form may have, and what each is called; and where an error is.

const { Buffer } = require('../../core/platform')
const { refusal } = require('./messages')

const RESERVED = /(?:^|\[)__proto__(?:[[\]]|$)/

class PartLimits {
  /** @param {import('./form-limits').Limits} settings */
  constructor ({ fields, parts }) {
    this.limits = { fields, parts }
    this.part = 0 // number of the current one
    this.name = undefined // of it, once its header is read
    this.fieldCount = 0
  }

  /** Of an error. */
  get place () {
    return { field: this.name, part: this.part || undefined }
  }

  beginPart () {
    const { max } = this.limits.parts
    this.part++
    this.name = undefined
    if (this.part > max) this.exceed('parts.too.many', max)
  }

  /**
   * The header of the part is read.
   *
   * @param {boolean} isForm form-data, of which each part needs a name
   */
  admitName (name, isForm) {
    const most = this.limits.parts.name
    this.name = name
    if (isLonger(name, most)) this.exceed('name.too.long', most)
    if ((name === '' && isForm) || isReserved(name)) this.refuse('name.invalid')
  }

  /** @returns {number} most bytes of the field */
  admitField () {
    const { max, size } = this.limits.fields
    if (++this.fieldCount > max) this.exceed('fields.too.many', max)
    return size
  }

  refuseFieldSize () {
    this.exceed('field.too.large', this.limits.fields.size)
  }

  /**
   * @param {string} type what is wrong with the part, such as `name.missing`
   * @param {string} [detail]
   */
  refuse (type, detail) {
    throw refusal(400, type, this.place, detail)
  }

  /** @param {string} [detail] */
  refuseStructure (type, detail) {
    if (type !== 'header.too.large') this.refuse(type, detail)
    this.beginPart() // its header is not complete, so that nothing has counted it
    throw refusal(400, type, { limit: this.limits.parts.header, ...this.place })
  }

  exceed (type, limit) {
    throw refusal(413, type, { limit, ...this.place })
  }
}

/** Whether a text has more bytes than `max`, which are counted only if it may: 3 for each character. */
const isLonger = (text, max) => text.length * 3 > max && Buffer.byteLength(text) > max

const isReserved = (name) => name.includes('__proto__') && RESERVED.test(name)

module.exports = PartLimits
