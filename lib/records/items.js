'use strict'

// Records -> what a loop gets for them. Does not ask how a record is found
// (./record-finder.js), nor how a loop asks for items (./loop.js).

const isolateError = require('../core/isolate-error')
const errors = require('../core/errors')
const { SchemaFault } = require('./record-error')
const { INVALID } = require('./record-finder')

const NO_ITEM = Symbol('more bytes are needed')
const CHARACTERS = 2000 // that take as long as a small record

/** Gives the value of each record. The first wrong one ends the loop. */
class Items {
  /**
   * @param {import('./record-finder').RecordFinder} source
   * @param {{ validate?: Function, settings: object }} parser `validate`: see ./record-check.js
   */
  constructor (source, { settings, validate }) {
    this.source = source
    this.check = validate?.((value) => this.accept(value), (error) => this.refuse(error))
    this.max = settings.max // records
    this.count = 0 // items, wrong ones included
    this.work = 0 // in small records; the loop sets it back
  }

  /**
   * @returns {unknown} the next item, or a promise of it; NO_ITEM if there is none
   * @throws {unknown} what ends the loop
   */
  next () {
    const { check, max, source } = this
    if (!source.find()) return NO_ITEM
    if (this.count >= max) throw errors.tooManyRecords(max, source.place)
    this.work += 1 + Math.floor(source.length / CHARACTERS)
    const value = source.take()
    if (check === undefined || value === INVALID) return this.accept(value)
    return check(value)
  }

  /** Adds items that are parsed already to a list, as one call for each would take longer than parsing a small one. */
  fill (list, size) {
    const { check, count, max, source } = this
    if (source.takeParsed === undefined || check !== undefined) return
    const values = source.takeParsed(Math.min(size - list.length, max - count))
    for (const value of values) list.push(value)
    this.count += values.length
    this.work += values.length
  }

  accept (value) {
    this.count++
    return value
  }

  /** @param {unknown} error of the schema, or of a promise that a reviver has made */
  refuse (error) {
    if (error instanceof SchemaFault) throw errors.thrown(error.error)
    throw this.describe(error)
  }

  describe (error) {
    return errors.unparsable(isolateError(error), this.source.text, this.source.place)
  }
}

module.exports = { Items, NO_ITEM }
