'use strict'

const { isolateError } = require('../body/promises')
const { setImmediate } = require('../platform')
const errors = require('../errors')
const { handOut, ITERATOR } = require('../hand-out')
const Lines = require('./lines')
const SchemaFault = require('./schema-fault')

const NO_ITEM = Symbol('more bytes are needed, or others come first')
const TURN = 1000 // records; then other requests are served
const CHARACTERS = 2000 // that take as long as a small record
const FAILURE = 50 // records that take as long as an error
const UNENDED = /[^\s"\]}]$/ // a number or a literal, of which the rest may be missing (RFC 7464, section 2.4)

/** `req.body` of ndjson. One loop reads it: the records, or lists of them. */
class Records {
  #loop

  /**
   * @param {(interrupt: (error: unknown) => void) => Chunks} createChunks see ./chunks.js
   * @param {{ isSequence: boolean, decode: (bytes: Uint8Array) => string }} format see ./lines.js
   * @param {{ isAsync: boolean, parse: (text: string) => unknown, settings: object }} parser
   *   `isAsync`: `parse` returns promises
   *
   * @typedef {AsyncGenerator<Uint8Array | null, void, number>} Chunks null comes behind the last one
   */
  constructor (createChunks, format, parser) {
    this.#loop = new Loop(createChunks, format, parser)
  }

  /** @param {number} size of each list; the last one may be shorter */
  batches (size) {
    if (!(Number.isInteger(size) && size > 0)) throw new TypeError('batches takes a positive integer')
    return this.#loop.open(size)
  }

  [Symbol.asyncIterator] () {
    return this.#loop.open(null)
  }
}

/**
 * Gives the records as they are asked for. Not a generator: that would take a
 * sixth of the time of small records.
 */
class Loop {
  constructor (createChunks, format, parser) {
    this.chunks = createChunks((error) => {
      this.fault = { error }
      this.interrupt(error)
    })
    this.collects = parser.settings.onError === 'collect'
    this.isSequence = format.isSequence
    this.lines = new Lines(format, parser.settings.record)
    this.parser = parser
    this.size = undefined // of the lists; null for single records
    this.count = 0 // records
    this.work = 0 // since others were served
    this.fault = null // { error } once the request has failed
    this.interrupt = () => {}
    this.outcome = null // once there are no more records: empty, or with the error that is thrown behind them
    this.last = null // a promise of the call that others wait for
  }

  open (size) {
    if (this.size !== undefined) throw new TypeError('the records are read by another loop')
    this.size = size
    return {
      __proto__: ITERATOR,
      next: () => this.next(),
      return: (value) => this.call(() => this.end([], value)),
      throw: (error) => this.call(() => this.end([error]))
    }
  }

  /** A record that is there is given at once. */
  next () {
    const isFree = this.size === null && this.last === null && this.outcome === null
    const item = isFree ? this.take() : NO_ITEM
    const mustWait = item === NO_ITEM || typeof item?.then === 'function'
    return mustWait ? this.call(() => this.advance(item)) : Promise.resolve(give(item))
  }

  /** Calls wait for those before them, as those of a generator do. */
  call (act) {
    const called = this.last === null ? act() : this.last.then(act, act)
    const result = handOut(called.finally(() => { if (this.last === result) this.last = null }))
    this.last = result
    return result
  }

  /** @param first item, if it is there */
  async advance (first) {
    const { parser: { isAsync }, size } = this
    const list = []
    while (this.outcome === null && list.length < (size ?? 1)) {
      try {
        let item = first === NO_ITEM ? this.take() : first
        if (item !== NO_ITEM && (isAsync || size === null)) item = await this.settle(item)
        if (item !== NO_ITEM) list.push(item)
        else if (this.outcome === null) await this.proceed()
      } catch (error) {
        this.stop(error)
      }
    }
    if (list.length === 0) return this.end(this.outcome)
    return give(size === null ? list[0] : list)
  }

  /** @param {[] | [unknown]} outcome has what is thrown, once the rest of the request is drained */
  async end (outcome, value) {
    this.outcome = []
    if (outcome.length === 0) {
      await this.chunks.return()
      return { value: await value, done: true }
    }
    await this.chunks.throw(outcome[0]).catch(() => {})
    throw outcome[0]
  }

  stop (error) {
    this.outcome = [error]
    return NO_ITEM
  }

  /** @returns the next item, or a promise of it; NO_ITEM if there is none, or an error in its place */
  take () {
    const { isSequence, lines, parser: { isAsync, parse, settings: { max } } } = this
    if (this.work >= TURN) return NO_ITEM
    let text
    let fault = null
    try {
      text = lines.next()
    } catch (error) { // a line over `record`, or, with a larger one, over the engine's longest string
      fault = error.status === undefined ? errors.unparsable(error, undefined, lines.place) : error
    }
    if (text === null) return NO_ITEM
    if (++this.count > max) {
      const { line, offset } = fault ?? lines.place // a line that is too long is behind this place already
      return this.stop(errors.tooManyRecords(max, { line, offset }))
    }
    if (fault !== null) return this.refuse(fault)
    this.work += 1 + Math.floor(text.length / CHARACTERS)
    try {
      if (isSequence) assertWhole(text, lines.line)
      const value = parse(text)
      if (!isAsync) return this.accept(value)
      return value.then((value) => this.accept(value), (error) => this.refuseText(error, text))
    } catch (error) {
      return this.refuseText(error, text)
    }
  }

  /** Waits for a promise of the app's, but not after the request has failed: it may never settle. */
  settle (promise) {
    return new Promise((resolve, reject) => {
      this.interrupt = reject
      Promise.resolve(promise).then(resolve, reject)
      if (this.fault !== null) setImmediate(reject, this.fault.error)
    })
  }

  accept (value) {
    return this.collects ? { line: this.lines.line, value } : value
  }

  refuseText (error, text) {
    if (error instanceof SchemaFault) return this.stop(errors.thrown(error.error))
    return this.refuse(errors.unparsable(isolateError(error), text, this.lines.place))
  }

  refuse (error) {
    if (!this.collects) return this.stop(error)
    this.work += FAILURE
    return { line: error.line, error }
  }

  /** Serves others, or gets the next chunk. */
  async proceed () {
    const { chunks, lines } = this
    if (this.work >= TURN) {
      this.work = 0
      await new Promise((resolve) => { setImmediate(resolve) })
      return
    }
    const { done, value } = await chunks.next(lines.heldBytes)
    if (done) this.outcome = []
    else if (value === null) lines.end()
    else lines.write(value)
  }
}

const give = (value) => ({ value, done: false })

function assertWhole (text, line) {
  if (line === 0) throw new SyntaxError('no record separator before the JSON text')
  if (UNENDED.test(text)) throw new SyntaxError('the JSON text may be cut off')
}

module.exports = Records
