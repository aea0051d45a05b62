'use strict'

// Option `onError: 'collect'`.

const errors = require('../core/errors')
const { RecordError, SchemaFault } = require('./record-error')
const { Items } = require('./items')
const { INVALID } = require('./record-finder')

const FAILURE = 10 // small records that take as long as an error

/** Gives each record with its number, or its error. */
class CollectedItems extends Items {
  constructor (source, parser) {
    super(source, parser)
    this.maxErrors = parser.settings.maxErrors
    this.errorCount = 0
  }

  fill () {} // each has its number

  accept (value) {
    const { source, source: { number, unit } } = this
    if (value === INVALID) return this.collect(source.fault)
    this.count++
    return unit === 'line' ? { line: number, value } : { record: number, value } // a computed key takes much longer
  }

  refuse (error) {
    if (error instanceof SchemaFault) return super.refuse(error)
    if (!RecordError.isOne(error)) return this.collect(this.describe(error))
    const { place, text } = this.source
    return this.collect(Object.assign(error, { body: text }, place))
  }

  /** @throws {Error} 400 for one error too many */
  collect (error) {
    const { maxErrors, source: { place, unit } } = this
    if (this.errorCount >= maxErrors) throw errors.tooManyWrongRecords(maxErrors, place)
    this.errorCount++
    this.count++
    this.work += FAILURE
    return unit === 'line' ? { line: place.line, error } : { record: place.record, error }
  }
}

module.exports = CollectedItems
