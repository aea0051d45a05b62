'use strict'

const isolateError = require('../../core/isolate-error')
const errors = require('../../core/errors')
const { withoutStacks } = require('../../core/platform')
const { unitsOf } = require('../../json-keys/code-units')
const Cuts = require('./cuts')
const ItemTexts = require('./texts')

const NONE = [] // values

/** The items of a JSON array, as records: see ../source.js. Many small ones are decoded, and parsed, by one call. */
class ArraySource {
  /**
   * @param {(bytes: Uint8Array) => string} decode keeps a byte order mark
   * @param {object} parser
   * @param {(text: string) => unknown} parser.parse gets one item with a reviver, else an array of some
   * @param {object} parser.settings
   */
  constructor (decode, { parse, settings }) {
    this.decode = decode
    this.hasReviver = settings.reviver !== undefined // it gets each item under an empty key, so each is parsed alone
    this.texts = new ItemTexts(decode, settings)
    this.parse = parse
    this.parseSome = withoutStacks(parse) // whose error nobody gets
    this.unit = 'record'
    this.number = 0
    this.length = 0
    this.open(NONE)
  }

  /** Begins a slice, or leaves one. @param {unknown[]} values of its items, if they were parsed by one call */
  open (values) {
    this.values = values
    this.value = undefined // of an item that was parsed alone
    this.index = -1 // of an item in the slice
    this.alone = null // where each of its items is, in `texts.slice.items`, if they are parsed alone
    this.places = null // where they are in its bytes, once somebody asks
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
    this.length = 0
    while (!this.advance()) {
      const text = this.read()
      if (text === null) {
        this.number--
        return false
      }
      this.convert(text)
    }
    return true
  }

  /** @returns {boolean} whether the slice has a further item that is right */
  advance () {
    this.index++
    return this.alone === null ? this.index < this.values.length : this.parseAlone()
  }

  take () {
    return this.alone === null ? this.values[this.index] : this.value
  }

  takeParsed (most) {
    const first = this.index + 1
    const taken = this.values.slice(first, first + most)
    this.index += taken.length
    this.number += taken.length
    return taken
  }

  read () {
    this.open(NONE)
    try {
      return this.texts.next(this.number)
    } catch (error) {
      if (this.texts.isInside) error.record = this.number
      throw error
    }
  }

  /** Parses the items of a slice by one call; each alone if one of them is wrong. */
  convert (text) {
    if (this.hasReviver) return this.openEach(text)
    this.length += text.length
    try {
      const values = this.parseSome(`[${text}]`)
      if (values.length > 0) return this.open(values)
    } catch {}
    if (this.texts.slice.isGuess) this.texts.repeat()
    else this.openEach(text)
  }

  openEach (text) {
    const { bytes } = this.texts.slice
    // No character is more than its bytes, so that equal lengths are those of equal indices.
    this.alone = new Cuts(text.length === bytes.length ? bytes : unitsOf(text))
  }

  parseAlone () {
    const { alone, hasReviver, texts: { slice: { items } } } = this
    if (!alone.next()) return false
    const text = items.slice(alone.start, alone.end)
    this.length += text.length
    let fault
    try {
      const values = hasReviver ? this.parseRevived(text) : this.parse(`[${text}]`)
      this.value = values[0]
      if (values.length > 0) return true
    } catch (error) {
      fault = error
    }
    this.refuse(fault)
    return false
  }

  parseRevived (text) {
    return isBlank(text) ? NONE : [this.parse(text)]
  }

  /** @throws {Error} unless it is a syntax error: `read` throws that, maybe once more bytes have come */
  refuse (fault) {
    const { place, texts, text } = this
    texts.narrow(this.findPlace())
    if (!texts.findFault()) throw errors.unparsable(isolateError(fault), text, place)
  }

  get text () {
    const { bytes, items } = this.texts.slice
    const { end, start } = this.findPlace()
    return items.length === bytes.length ? items.slice(start, end) : this.decode(bytes.subarray(start, end))
  }

  /** Where the item begins, or the white space before it. */
  get place () {
    return { record: this.number, offset: this.texts.slice.offset + this.findPlace().start }
  }

  findPlace () {
    this.places ??= new Cuts(this.texts.slice.bytes)
    return this.places.seek(this.index)
  }
}

const isBlank = (text) => /^[ \t\n\r]*$/.test(text)

module.exports = ArraySource
