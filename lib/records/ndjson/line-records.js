'use strict'

// Lines -> the values of records.

const isolateError = require('../../core/isolate-error')
const errors = require('../../core/errors')
const { escapeMessage } = require('../../core/wording')
const { recordTooLarge } = require('../record-error')
const Lines = require('./lines')

const UNENDED = /[^\s"\]}]$/ // a number or a literal, which may be cut off (RFC 7464, section 2.4)

/** @implements {import('../results').RecordFinder} */
class LineRecords {
  /**
   * @param {{ isSequence: boolean, decode: (bytes: Uint8Array) => string }} format see ./lines.js
   * @param {{ parse: (text: string) => unknown, settings: { record: number } }} parser
   */
  constructor (format, { parse, settings: { record } }) {
    this.lines = new Lines(format, record)
    this.isSequence = format.isSequence
    this.parse = parse
    this.maxBytes = record
    this.text = undefined // of the line that was found last; undefined if it is too large
    this.unit = 'line'
  }

  write (bytes) {
    this.lines.write(bytes)
  }

  end () {
    this.lines.end()
  }

  find () {
    this.text = this.lines.next()
    return this.text !== null
  }

  /** @throws {Error} why the line is not a record */
  take () {
    const { isSequence, lines, text } = this
    if (text === undefined) throw recordTooLarge(this.maxBytes, this.place)
    try {
      const fault = isSequence ? truncationError(text, lines.line) : null
      if (fault !== null) throw new SyntaxError(fault)
      return this.parse(text)
    } catch (error) {
      throw this.describe(error)
    }
  }

  describe (error) {
    return errors.unparsable(escapeMessage(isolateError(error)), this.text, this.place)
  }

  get length () {
    return this.text?.length ?? 0
  }

  get number () {
    return this.lines.line
  }

  get place () {
    return this.lines.place
  }

  get bufferedBytes () {
    return this.lines.bufferedBytes
  }
}

/** @returns {string | null} why a text of a sequence may be incomplete */
function truncationError (text, line) {
  if (line === 0) return 'no record separator before the JSON text'
  return UNENDED.test(text) ? 'the JSON text may be cut off' : null
}

module.exports = { LineRecords, truncationError }
