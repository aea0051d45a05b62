'use strict'

// Errors of records. A client decides how many a loop gets as items (`onError: 'collect'`),
// so each of these is one small object: no stack is captured, and the message is
// made when somebody reads it.

const errors = require('../core/errors')
const { formatSize } = require('../core/wording')

/** In place of a value: the record is wrong, and the loop goes on. */
const INVALID = Symbol('an invalid record')

const RECORD_ERROR = Symbol.for('fast-body-parser.record-error') // ../core/errors.js asks for it

/** As http-errors names them. */
const NAMES = {
  __proto__: null,
  'entity.invalid': 'UnprocessableEntityError',
  'entity.parse.failed': 'SyntaxError',
  'entity.too.deep': 'BadRequestError',
  'entity.too.large': 'PayloadTooLargeError'
}

/** Not `extends Error`: that constructor captures a stack, which takes longer than all else here. */
class RecordError {
  #describe

  /**
   * @param {number} status of a client's error
   * @param {string} type
   * @param {() => string} describe returns the message
   * @param {object} fields
   */
  constructor (status, type, describe, fields) {
    this.#describe = describe
    this.expose = true
    this.statusCode = status
    this.status = status
    this.type = type
    Object.assign(this, fields)
  }

  /** @param {unknown} value */
  static isOne (value) {
    return Object(value) === value && #describe in value
  }

  get [RECORD_ERROR] () {
    return true
  }

  get name () {
    return NAMES[this.type]
  }

  set name (name) {
    define(this, 'name', name)
  }

  get message () {
    return define(this, 'message', this.#describe())
  }

  set message (message) {
    define(this, 'message', message)
  }

  /** The first line alone: the others would show where this package is. */
  get stack () {
    return `${this.name}: ${this.message}`
  }

  set stack (stack) {
    define(this, 'stack', stack)
  }
}

/** What is not JSON is a SyntaxError, as JSON.parse throws it. */
class RecordSyntaxError extends RecordError {}

const properties = Object.getOwnPropertyDescriptors(RecordError.prototype)
for (const [{ prototype }, base] of [[RecordSyntaxError, SyntaxError], [RecordError, Error]]) {
  Object.setPrototypeOf(prototype, base.prototype)
  Object.defineProperties(prototype, properties)
  delete prototype.constructor // inspectors show the name of the one that is inherited
}

/** Like these properties of other errors, they are not enumerable. */
function define (error, name, value) {
  Object.defineProperty(error, name, { __proto__: null, configurable: true, value, writable: true })
  return value
}

/** Not the message of a body, against which `limit` would help. */
function tooLargeMessage (limit, { line, record }) {
  const subject = record === undefined ? `record too large (line ${line})` : `item too large (record ${record})`
  return `${subject}: at most ${formatSize(limit)}`
}

/**
 * The 413 of a record.
 *
 * @param {number} limit bytes
 * @param {{ line?: number, record?: number, offset: number }} place of it
 */
function recordTooLarge (limit, place) {
  return errors.create(413, tooLargeMessage(limit, place), { limit, ...place, type: 'entity.too.large' })
}

module.exports = { INVALID, RecordError, RecordSyntaxError, recordTooLarge, tooLargeMessage }
