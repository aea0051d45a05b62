'use strict'

const { isolateError } = require('../core/async')
const { setImmediate, setTimeout } = require('../core/compat')
const errors = require('../core/errors')
const Lines = require('./lines')

const MORE = Symbol('more bytes are needed, or others come first')
const TURN = 1000 // records; then other requests are served
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
  #isEnded = false // all chunks have come
  #isRead = false
  #work = 0 // since others were served

  /**
   * @param {AsyncGenerator<Uint8Array | null, void, number>} chunks see ./chunks.js
   * @param {{ isSequence: boolean, decode: (bytes: Uint8Array) => string }} format see ./lines.js
   * @param {{ isAsync: boolean, parse: (text: string) => unknown, settings: object }} parser
   *   `isAsync`: `parse` returns promises
   */
  constructor (chunks, format, parser) {
    this.#chunks = chunks
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
    return {
      next: () => {
        if (!isWaiting) return call('next')
        try {
          const value = this.#next()
          return value === MORE ? call('next') : Promise.resolve({ value, done: false })
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
          if (size === null) yield item
          else if (list.push(isAsync ? await item : item) === size) yield list.splice(0)
        }
      } while (await this.#proceed())
      if (list.length > 0) yield list
    } catch (error) {
      if (list.length > 0) yield list // they come before
      await this.#chunks.throw(error)
    } finally {
      await this.#chunks.return() // after `break`
    }
  }

  /** @returns what the loop gets for the next record, or a promise of it */
  #next () {
    const { isAsync, parse, settings: { max } } = this.#parser
    if (this.#work >= TURN) return MORE
    let text
    try {
      text = this.#lines.next()
      if (text === null) return MORE
      if (++this.#count > max) throw errors.tooManyRecords(max, this.#lines.place)
      this.#work++
      if (this.#isSequence) assertWhole(text, this.#lines.line)
      const value = parse(text)
      return isAsync ? value.then((value) => this.#succeed(value), (error) => this.#fail(error, text)) : this.#succeed(value)
    } catch (error) {
      return this.#fail(error, text)
    }
  }

  #succeed (value) {
    return this.#collects ? { line: this.#lines.line, value } : value
  }

  #fail (error, text) {
    if (error.type === 'records.too.many') throw error
    const fault = error.type === 'entity.too.large' ? error : errors.unparsable(isolateError(error), text, this.#lines.place)
    if (!this.#collects) throw fault
    this.#work += FAILURE
    return { line: fault.line, error: fault }
  }

  /** @returns {Promise<boolean>} whether there may be a next record */
  async #proceed () {
    if (this.#work >= TURN) {
      this.#work = 0
      await new Promise((resolve) => { (setImmediate ?? setTimeout)(resolve) }) // browsers have no setImmediate
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
