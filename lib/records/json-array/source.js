'use strict'

const { isolateError } = require('../../core/body/promises')
const errors = require('../../core/errors')
const { withoutStacks } = require('../../core/platform')
const Scanner = require('./scanner')
const ItemTexts = require('./texts')

const NONE = [] // values

/** The items of a JSON array, as records: see ../source.js. Many small ones are parsed by one call. */
class ArraySource {
  /**
   * @param {(bytes: Uint8Array) => string} decode keeps a byte order mark
   * @param {object} parser
   * @param {(text: string) => unknown} parser.parse gets one item with a reviver, else an array of some
   * @param {Function} [parser.validate]
   * @param {object} parser.settings
   */
  constructor (decode, { parse, settings, validate }) {
    const hasBrackets = settings.reviver === undefined
    const isSingle = !hasBrackets || validate !== undefined // whose errors name text and place
    this.texts = new ItemTexts(decode, settings, { hasBrackets, isSingle })
    this.parse = hasBrackets ? parse : (text) => parseAlone(text, parse)
    this.parseSome = withoutStacks(this.parse) // whose error nobody gets
    this.unit = 'record'
    this.number = 0
    this.length = 0
    this.values = NONE
    this.index = -1 // in `values`
  }

  write (bytes) {
    this.texts.write(bytes)
  }

  end () {
    this.texts.end()
  }

  get heldBytes () {
    return this.texts.heldBytes
  }

  find () {
    this.number++
    this.index++
    this.length = 0
    if (this.index < this.values.length) return true
    this.index = 0
    this.values = NONE
    while (this.values.length === 0) {
      const text = this.read()
      if (text === null) {
        this.number--
        this.index = -1
        return false
      }
      this.values = this.convert(text)
    }
    return true
  }

  take () {
    return this.values[this.index]
  }

  takeParsed (most) {
    const first = this.index + 1
    const taken = this.values.slice(first, first + most)
    this.index += taken.length
    this.number += taken.length
    return taken
  }

  read () {
    try {
      return this.texts.next()
    } catch (error) {
      if (this.texts.isInside) error.record = this.number
      throw error
    }
  }

  /** @returns {unknown[]} none if one of them is wrong */
  convert (text) {
    const { texts } = this
    this.length += text.length
    let fault
    try {
      const values = texts.slice.isAlone ? this.parse(text) : this.parseSome(text)
      if (values.length > 0) return values
    } catch (error) {
      fault = error
    }
    if (!texts.slice.isAlone) texts.repeat()
    else if (!texts.findFault()) throw errors.unparsable(isolateError(fault), this.text, this.place)
    return NONE
  }

  get text () {
    const { slice } = this.texts
    return slice.isAlone ? slice.items : undefined
  }

  /** Where the item begins, or the white space before it. */
  get place () {
    const { slice: { bytes, offset } } = this.texts
    const scanner = new Scanner()
    let at = 0
    for (let index = 0; index < this.index; index++) at = scanner.scan(bytes, at, bytes.length, true)
    return { record: this.number, offset: offset + at }
  }
}

function parseAlone (text, parse) {
  return isBlank(text) ? NONE : [parse(text)]
}

const isBlank = (text) => /^[ \t\n\r]*$/.test(text)

module.exports = ArraySource
