'use strict'

const { Readable } = require('node:stream')
const { markHandled } = require('../../core/handled-promise')

const NONE = Buffer.alloc(0)

/**
 * A stream for the app, whose error ends no process: EventEmitter throws one that nobody listens to.
 *
 * @template T
 * @param {T} Stream
 * @returns {T}
 */
const withoutThrowing = (Stream) => class extends Stream {
  emit (event, ...values) {
    if (event === 'error' && this.listenerCount('error') === 0) return false
    return super.emit(event, ...values)
  }
}

/**
 * What a store, or a loop over the parts, gets of a file. Nothing here depends
 * on public listeners, which the app may remove.
 */
class FileStream extends withoutThrowing(Readable) {
  #file

  /**
   * @param {{ field: string, name: string, folder: string, type: string, declaredType?: string }} file
   * @param {import('./app-file')} stored has the bytes, and is told what becomes of the stream
   */
  constructor ({ field, name, folder, type, declaredType }, stored) {
    super({ highWaterMark: 0 }) // the file holds what is not asked for: it can be peeked at, and discarded
    Object.assign(this, { field, name, folder, type, ...(declaredType !== undefined && { declaredType }) })
    this.#file = stored
  }

  /** The first bytes, which stay in the stream. */
  peek (size) {
    return markHandled(this.#file.peek(size))
  }

  _read () {
    this.#file.onRead()
  }

  _destroy (error, callback) {
    callback(error)
    this.#file.releaseBytes()
  }

  /** Ends a read that waits: the next one asks again. */
  endRead () {
    this.push(NONE)
  }

  /** Piped somewhere, however slow that is. */
  get isPiped () {
    return this._readableState.pipes.length > 0
  }

  /** Flows, or has a consumer that may go on. */
  get isInUse () {
    return this.readableFlowing === true || this.listenerCount('data') > 0 || this.listenerCount('readable') > 0
  }

  /** Whether an error of it reaches anybody. */
  get isObserved () {
    return this.isInUse || this.eventNames().length > 0
  }
}

module.exports = FileStream
module.exports.withoutThrowing = withoutThrowing
