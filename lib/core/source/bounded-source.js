'use strict'

const errors = require('../errors')
const WrappingSource = require('./wrapping-source')

/**
 * Gives what another source gives, up to a limit, and refuses what is more, or
 * is not as much as was declared. An error comes behind the chunks before it.
 *
 * @typedef {object} Bounds
 * @property {number} limit most bytes, when content codings are undone
 * @property {(fields: object) => Error} [createTooLarge] instead of body-parser's error
 *
 * @typedef {object} Lifetime what a body is read in: an exchange, or an interruption of ../../web
 * @property {number | null} length declared bytes, if they are the content's
 * @property {number} received bytes so far, before content codings are undone
 * @property {Error | null} [fault] what has ended the reading early
 */
class BoundedSource extends WrappingSource {
  /**
   * @param {import('./source')} source
   * @param {Bounds} bounds
   * @param {Lifetime} lifetime
   */
  constructor (source, { createTooLarge, limit }, lifetime) {
    super(source)
    this.createTooLarge = createTooLarge
    this.limit = limit
    this.lifetime = lifetime
    this.refusal = null // for the next read
  }

  ask () {
    const fault = this.lifetime.fault ?? this.refusal
    if (fault === null) this.source.read(this.take, this.refuse)
    else this.end(fault)
  }

  take (chunk) {
    if (chunk === null) return this.end(this.mismatch())
    const room = this.limit - this.received
    if (chunk.length <= room) return this.give(chunk)
    const decoded = this.received + chunk.length
    const fault = this.lifetime.fault ?? errors.receivedTooLarge(decoded, this.limit, this.createTooLarge)
    if (room <= 0) return this.end(fault)
    this.refusal = fault
    this.give(chunk.subarray(0, room)) // a loop gets the records that come before
  }

  mismatch () {
    const { length, received } = this.lifetime
    return length === null || length === received ? null : errors.lengthMismatch(length, received)
  }
}

module.exports = BoundedSource
