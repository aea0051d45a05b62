'use strict'

const { isPromise } = require('../../core/checks')
const errors = require('../../core/errors')
const { markHandled } = require('../../core/handled-promise')
const isolateError = require('../../core/isolate-error')
const { withoutStacks } = require('../../core/platform')
const { describeRecords } = require('../../formats/json/parse')
const { ItemPlaces } = require('./item-scanner')
const ItemTexts = require('./item-texts')

const NONE = [] // values

/**
 * The items of a JSON array, as records: see RecordFinder in ../results.js. Many small ones are decoded, and parsed, by
 * one call.
 */
class ArrayItems {
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
    this.open(null)
  }

  /** @param {import('./item-texts').Slice | null} slice the next one; null if more bytes are needed */
  open (slice) {
    this.slice = slice
    this.index = -1 // of an item in the slice
    this.values = NONE // of its items; null if they are parsed one by one
    this.value = undefined // of an item that was parsed alone
    if (slice === null) return
    this.places = new ItemPlaces(slice.bytes)
    if (this.hasReviver) this.values = null
    else this.parseSlice()
  }

  write (bytes) {
    this.texts.write(bytes)
  }

  end () {
    this.texts.end()
  }

  get bufferedBytes () {
    return this.texts.bufferedBytes
  }

  find () {
    this.number++
    this.length = 0
    while (!this.advance()) {
      this.open(this.texts.next(this.number))
      if (this.slice === null) {
        this.number--
        return false
      }
    }
    return true
  }

  /** @returns {boolean} whether the slice has a further item that is right */
  advance () {
    this.index++
    return this.values === null ? this.parseOne() : this.index < this.values.length
  }

  take () {
    return this.values === null ? this.value : this.values[this.index]
  }

  takeParsed (most) {
    if (this.values === null) return NONE
    const first = this.index + 1
    const taken = this.values.slice(first, first + most)
    this.index += taken.length
    this.number += taken.length
    return taken
  }

  /** Parses the items of the slice by one call; each alone if one of them is wrong. */
  parseSlice () {
    const { isGuess, text } = this.slice
    this.length += text.length
    try {
      this.values = this.parseSome(`[${text}]`)
    } catch {}
    if (this.values.length > 0) return
    if (isGuess) this.texts.repeat()
    else this.values = null
  }

  /** @returns {boolean} false behind the last item, or if this one is a syntax error, which `texts` will throw */
  parseOne () {
    if (!this.places.seek(this.index)) return false
    const { hasReviver, text } = this
    this.length += text.length
    let fault
    try {
      const values = hasReviver ? this.parseRevived(text) : this.parse(`[${text}]`)
      this.value = values[0]
      if (values.length > 0) return true
    } catch (error) {
      fault = error
    }
    if (this.texts.findFault(this.places, this.number)) return false
    throw errors.unparsable(isolateError(fault), text, this.place)
  }

  /**
   * Blanks are a fault, but `parse` takes an empty text for `{}`, as body-parser does. An item beyond `max` is parsed,
   * but never taken: a promise of it that is rejected would end the process.
   */
  parseRevived (text) {
    if (text.trim() === '') return NONE
    const value = this.parse(text)
    if (isPromise(value)) markHandled(value)
    return [value]
  }

  get text () {
    const { places, slice: { bytes, text } } = this
    places.seek(this.index)
    const { end, start } = places
    // No character is more than its bytes, so that equal lengths are those of equal indices.
    return text.length === bytes.length ? text.slice(start, end) : this.decode(bytes.subarray(start, end))
  }

  /** Where the item begins, or the white space before it. */
  get place () {
    this.places.seek(this.index)
    return { record: this.number, offset: this.slice.offset + this.places.start }
  }
}

/** What a parser of the items of a JSON array is; see ../../compose.js. */
function describeItems (settings) {
  return {
    ...describeRecords(settings),
    outerLevels: settings.reviver === undefined ? 1 : 0 // items are parsed in an array; each alone for a reviver
  }
}

/** @returns {import('../results').RecordFinder} the items of one body */
const createItems = ({ decode }, parser) => new ArrayItems(decode, parser)

module.exports = { createItems, describeItems }
