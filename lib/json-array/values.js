'use strict'

const errors = require('../errors')
const { isolateError } = require('../body/promises')

const NONE = [] // values

/** The texts of items -> their values, one at a time. Many small ones are parsed by one call. */
class ItemValues {
  /**
   * @param {import('./texts')} texts
   * @param {(text: string) => unknown} parse
   */
  constructor (texts, parse) {
    this.texts = texts
    this.parse = parse
    this.values = NONE
    this.index = 0 // of the next one
    this.count = 0 // that were given
  }

  /** @returns {boolean} whether there is a value, which `take` gives; false: more bytes are needed, or all are given */
  fill () {
    while (this.index === this.values.length) {
      this.values = NONE
      this.index = 0
      const text = this.texts.next()
      if (text === null) return false
      this.values = this.convert(text)
    }
    return true
  }

  take () {
    this.count++
    return this.values[this.index++]
  }

  convert (text) {
    let fault
    try {
      const values = this.parse(`[${text}]`)
      if (values.length > 0) return values
    } catch (error) {
      fault = error
    }
    if (!this.texts.slice.isAlone) this.texts.repeat()
    else if (!this.texts.findFault()) throw errors.unparsable(isolateError(fault), text)
    return NONE
  }
}

module.exports = ItemValues
