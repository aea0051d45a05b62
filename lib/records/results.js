'use strict'

// Records -> what a loop gets for them. Does not ask how a record is found, nor
// how a loop asks for results (./loop.js).

const isolateError = require('../core/isolate-error')
const errors = require('../core/errors')
const { INVALID, RecordError } = require('./record-error')

const NO_RESULT = Symbol('more bytes are needed')
const CHARACTERS = 2000 // that take as long as a small record
const ERROR = 10 // small records that take as long as an error

/**
 * What finds records and parses them, one after the other: lines, in
 * ./ndjson/line-records.js, or anything else that has an end of its own. It
 * knows nothing of loops, lists, schemas or maxima. `find` and `take` are called
 * in turn; what either throws ends the loop, behind the records before.
 *
 * @typedef {object} RecordFinder
 * @property {(bytes: Uint8Array) => void} write goes on with these: called when `find` has returned false
 * @property {() => void} end there are no more: `find` gives what is left, and throws if the end is missing
 * @property {() => boolean} find goes to the next record; false if more bytes are needed, or all is read
 * @property {() => unknown} take the value of that record, or a promise of it if a reviver has made one; called at
 *   most once for each record, and not for one beyond `max`. Returns INVALID of ./record-error.js if this record is at
 *   fault, as `fault` says, but later ones may be read
 * @property {RecordError} fault needed with `onError: 'collect'` only, as is INVALID
 * @property {number} length UTF-16 code units of that record which `find` and `take` have read for it: others are
 *   served after so many of them
 * @property {string | undefined} text of that record, for errors of a schema; undefined if it is not known
 * @property {'line' | 'record'} unit what `number` counts: a property of what a loop gets with `onError: 'collect'`
 * @property {number} number of that record, from 1
 * @property {object} place of that record, for errors: `{ [unit]: number, offset }`, with the bytes before it
 * @property {number} bufferedBytes that `write` got, and that are still in memory
 * @property {(most: number) => unknown[]} [takeParsed] the values of records behind that one which are there already,
 *   as if `find` and `take` were called for each
 */

/** Gives the value of each record. The first wrong one ends the loop. */
class Results {
  /**
   * @param {RecordFinder} finder
   * @param {{ validate?: Function, settings: object }} parser `validate`: see ./record-check.js
   */
  constructor (finder, { settings, validate }) {
    this.finder = finder
    this.check = validate?.((value) => this.accept(value), (error) => this.refuse(error))
    this.max = settings.max // records
    this.count = 0 // results, wrong ones included
    this.work = 0 // in small records; the loop sets it back
  }

  /**
   * @returns {unknown} the next result, or a promise of it; NO_RESULT if there is none
   * @throws {unknown} what ends the loop
   */
  next () {
    const { check, finder, max } = this
    if (!finder.find()) return NO_RESULT
    if (this.count >= max) throw errors.tooManyRecords(max, finder.place)
    this.work += 1 + Math.floor(finder.length / CHARACTERS)
    const value = finder.take()
    if (check === undefined || value === INVALID) return this.accept(value)
    return check(value)
  }

  /** Adds values that are parsed already to a list, as one call for each would take longer than parsing a small one. */
  fill (list, size) {
    const { check, count, finder, max } = this
    if (finder.takeParsed === undefined || check !== undefined) return
    const values = finder.takeParsed(Math.min(size - list.length, max - count))
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
    throw this.describe(error)
  }

  describe (error) {
    return errors.unparsable(isolateError(error), this.finder.text, this.finder.place)
  }
}

/** Option `onError: 'collect'`: gives each record with its number, or its error. */
class CollectedResults extends Results {
  constructor (finder, parser) {
    super(finder, parser)
    this.maxErrors = parser.settings.maxErrors
    this.errorCount = 0
  }

  fill () {} // each has its number

  accept (value) {
    const { finder, finder: { number, unit } } = this
    if (value === INVALID) return this.collect(finder.fault)
    this.count++
    return unit === 'line' ? { line: number, value } : { record: number, value } // a computed key takes much longer
  }

  refuse (error) {
    if (!RecordError.isOne(error)) return this.collect(this.describe(error))
    const { place, text } = this.finder
    return this.collect(Object.assign(error, { body: text }, place))
  }

  /** @throws {Error} 400 for one error too many */
  collect (error) {
    const { maxErrors, finder: { place, unit } } = this
    if (this.errorCount >= maxErrors) throw errors.tooManyWrongRecords(maxErrors, place)
    this.errorCount++
    this.count++
    this.work += ERROR
    return unit === 'line' ? { line: place.line, error } : { record: place.record, error }
  }
}

module.exports = { CollectedResults, NO_RESULT, Results }
