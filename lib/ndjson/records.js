'use strict'

const { isolateError } = require('../body/promises')
const { setImmediate } = require('../platform')
const errors = require('../errors')
const Lines = require('./lines')

const MORE = Symbol('more bytes are needed, or others come first')
const TURN = 1000 // records; then other requests are served
const CHARACTERS = 2000 // that take as long as a small record
const FAILURE = 50 // records that take as long as an error
const UNENDED = /[^\s"\]}]$/ // a number or a literal, of which the rest may be missing (RFC 7464, section 2.4)

/** `req.body` of ndjson. One loop reads it: the records, or lists of them. */
class Records {
  #chunks
  #collects
  #isSequence
  #lines
  #parser
  #count = 0
  #fault = null // { error } once the request has failed
  #interrupt = () => {}
  #isEnded = false // all chunks have come
  #isRead = false
  #work = 0 // since others were served

  /**
   * @param {(interrupt: (error: unknown) => void) => Chunks} createChunks see ./chunks.js
   * @param {{ isSequence: boolean, decode: (bytes: Uint8Array) => string }} format see ./lines.js
   * @param {{ isAsync: boolean, parse: (text: string) => unknown, settings: object }} parser
   *   `isAsync`: `parse` returns promises
   *
   * @typedef {AsyncGenerator<Uint8Array | null, void, number>} Chunks
   */
  constructor (createChunks, format, parser) {
    this.#chunks = createChunks((error) => {
      this.#fault = { error }
      this.#interrupt(error)
    })
    this.#collects = parser.settings.onError === 'collect'
    this.#isSequence = format.isSequence
    this.#lines = new Lines(format, parser.settings.record)
    this.#parser = parser
  }

  /** @param {number} size of each list; the last one may be shorter */
  batches (size) {
    if (!(Number.isInteger(size) && size > 0)) throw new TypeError('batches takes a positive integer')
    return this.#read(size)
  }

  /**
   * While the generator waits at its `yield`, takes what can be had without
   * waiting past it: the generator takes a sixth of the time of small records.
   */
  [Symbol.asyncIterator] () {
    const generator = this.#read(null)
    const { isAsync } = this.#parser
    let pending = 0 // calls
    let isWaiting = false
    const call = async (method, value) => {
      isWaiting = false
      pending++
      const result = await generator[method](value)
      pending--
      isWaiting = pending === 0 && !result.done && !isAsync
      return result
    }
    const give = (value) => ({ value, done: false })
    return {
      next: () => {
        if (!isWaiting) return call('next')
        try {
          const value = this.#next()
          if (value === MORE) return call('next')
          if (typeof value?.then !== 'function') return Promise.resolve(give(value))
          return Promise.resolve(value).then(give, (error) => call('throw', error)) // of a reviver
        } catch (error) {
          return call('throw', error)
        }
      },
      return: (value) => call('return', value),
      throw: (error) => call('throw', error),
      [Symbol.asyncIterator] () { return this }
    }
  }

  /** @param {number | null} size of the lists; null for single records */
  #read (size) {
    if (this.#isRead) throw new TypeError('the records are read by another loop')
    this.#isRead = true
    return this.#generate(size)
  }

  async * #generate (size) {
    const { isAsync } = this.#parser
    const list = []
    try {
      do {
        for (let item; (item = this.#next()) !== MORE;) {
          const record = isAsync ? await this.#settle(item) : item
          if (size === null) yield record
          else if (list.push(record) === size) yield list.splice(0)
        }
      } while (await this.#proceed())
      if (list.length > 0) yield list.splice(0)
    } catch (error) {
      if (list.length > 0) yield list.splice(0) // they come before
      return this.#chunks.throw(error)
    } finally {
      await this.#chunks.return() // after `break`
    }
  }

  /** @returns what the loop gets for the next record, or a promise of it */
  #next () {
    const { isAsync, parse, settings: { max } } = this.#parser
    if (this.#work >= TURN) return MORE
    let text
    let fault = null
    try {
      text = this.#lines.next()
    } catch (error) { // a line over `record`, or, with a larger one, over the engine's longest string
      fault = error.status === undefined ? errors.unparsable(error, undefined, this.#lines.place) : error
    }
    if (text === null) return MORE
    if (++this.#count > max) throw errors.tooManyRecords(max, this.#lines.place)
    if (fault !== null) return this.#refuse(fault)
    this.#work += 1 + Math.floor(text.length / CHARACTERS)
    try {
      if (this.#isSequence) assertWhole(text, this.#lines.line)
      const value = parse(text)
      if (!isAsync) return this.#succeed(value)
      return value.then((value) => this.#succeed(value), (error) => this.#fail(error, text))
    } catch (error) {
      return this.#fail(error, text)
    }
  }

  /** Waits for a schema, but not after the request has failed: it may never settle. */
  #settle (promise) {
    return new Promise((resolve, reject) => {
      this.#interrupt = reject
      Promise.resolve(promise).then(resolve, reject)
      if (this.#fault !== null) setImmediate(reject, this.#fault.error)
    })
  }

  #succeed (value) {
    return this.#collects ? { line: this.#lines.line, value } : value
  }

  #fail (error, text) {
    return this.#refuse(errors.unparsable(isolateError(error), text, this.#lines.place))
  }

  #refuse (error) {
    if (!this.#collects) throw error
    this.#work += FAILURE
    return { line: error.line, error }
  }

  /** @returns {Promise<boolean>} whether there may be a next record */
  async #proceed () {
    if (this.#work >= TURN) {
      this.#work = 0
      await new Promise((resolve) => { setImmediate(resolve) })
      return true
    }
    const { value = null } = await this.#chunks.next(this.#lines.heldBytes)
    if (value !== null) this.#lines.write(value)
    else if (this.#isEnded) return false
    else this.#lines.end()
    this.#isEnded = value === null
    return true
  }
}

function assertWhole (text, line) {
  if (line === 0) throw new SyntaxError('no record separator before the JSON text')
  if (UNENDED.test(text)) throw new SyntaxError('the JSON text may be cut off')
}

module.exports = Records
