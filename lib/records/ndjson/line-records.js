'use strict'

// Lines -> the values of records, and cheap errors for `onError: 'collect'`.

const isolateError = require('../../core/isolate-error')
const errors = require('../../core/errors')
const { withoutStacks } = require('../../core/platform')
const { escapeMessage, escapedMessageOf } = require('../../core/wording')
const { assertContainer, isDeeperThan, opensContainer } = require('../../formats/json/parse')
const { FAULT, Grammar } = require('../../json-slices/grammar')
const { INVALID, RecordError, RecordSyntaxError, recordTooLarge, tooLargeMessage } = require('../record-error')
const Lines = require('./lines')

const UNENDED = /[^\s"\]}]$/ // a number or a literal, which may be cut off (RFC 7464, section 2.4)
const CHECKS = 32 // records behind a wrong one that are checked before they are parsed
const SHORT = 1000 // characters, of which a check takes less time than an error that is thrown
const UNIT = 3 // bytes of UTF-8 at most for a UTF-16 code unit

const encoder = new TextEncoder()

/** Intentionally module-level: the text that is checked at once. */
const shared = new Uint8Array(SHORT * UNIT)

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
    const { text, truncation } = this
    if (text === undefined) throw recordTooLarge(this.maxBytes, this.place)
    try {
      if (truncation !== null) throw new SyntaxError(truncation)
      return this.parse(text)
    } catch (error) {
      throw this.describe(error)
    }
  }

  /** Why a text of a sequence may be incomplete; else null. */
  get truncation () {
    const { isSequence, number, text } = this
    if (!isSequence) return null
    if (number === 0) return 'no record separator before the JSON text'
    return UNENDED.test(text) ? 'the JSON text may be cut off' : null
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

/**
 * To throw an error takes as long as to parse 20 small records. So a record that is
 * seen to be wrong is not given to JSON.parse, and errors have no stack.
 */
class CheckedLines extends LineRecords {
  constructor (format, parser) {
    super(format, parser)
    const { depth, reviver, strict } = parser.settings
    this.isStrict = strict
    this.depth = depth
    this.isForeign = reviver !== undefined // whether `parse` may throw errors of the app
    if (!this.isForeign) this.parse = withoutStacks(this.parse)
    this.checksLeft = 0 // records
    this.fault = null
  }

  take () {
    const { text } = this
    if (text === undefined) return this.refuse(this.oversize())
    const fault = this.check(text)
    if (fault !== null) return this.refuse(fault)
    try {
      return this.parse(text)
    } catch (error) {
      const isPlain = error instanceof SyntaxError && !this.isForeign
      return this.refuse(isPlain ? this.syntaxError(text, () => escapedMessageOf(error)) : this.describe(error))
    }
  }

  /** @returns {RecordError | null} what is wrong with the text; null if nothing is seen, and JSON.parse has to tell */
  check (text) {
    const { truncation } = this
    if (truncation !== null) return this.syntaxError(text, () => truncation)
    if (this.isStrict && !opensContainer(text, 0)) return this.syntaxError(text, messageOf(assertContainer, text))
    if (this.checksLeft === 0 || text.length > SHORT) return null
    this.checksLeft--
    if (this.depth !== Infinity && isDeeperThan(text, this.depth)) return this.tooDeep(text)
    return isJson(text) ? null : this.syntaxError(text, messageOf(JSON.parse, text))
  }

  refuse (fault) {
    this.checksLeft = CHECKS
    this.fault = fault
    return INVALID
  }

  syntaxError (body, describe) {
    return new RecordSyntaxError(400, 'entity.parse.failed', describe, { body, ...this.place })
  }

  tooDeep (body) {
    const { depth, place } = this
    const describe = () => errors.nestedTooDeep(depth).message
    return new RecordError(400, 'entity.too.deep', describe, { body, depth, ...place })
  }

  oversize () {
    const { maxBytes: limit, place } = this
    const describe = () => tooLargeMessage(limit, place)
    return new RecordError(413, 'entity.too.large', describe, { limit, ...place })
  }
}

/** @returns {() => string} returns the message of the error that `parse` throws for a text */
const messageOf = (parse, text) => () => {
  try {
    parse(text)
  } catch (error) {
    return escapedMessageOf(error)
  }
}

/** Whether JSON.parse takes a text of at most SHORT characters. */
function isJson (text) {
  const { written } = encoder.encodeInto(text, shared)
  const grammar = new Grammar(Infinity)
  grammar.read(shared, 0, written)
  return grammar.event !== FAULT && grammar.isComplete
}

/** @returns {import('../results').RecordFinder} the lines of one body */
function createLines (format, parser) {
  return parser.settings.onError === 'collect' ? new CheckedLines(format, parser) : new LineRecords(format, parser)
}

module.exports = { createLines }
