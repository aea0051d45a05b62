'use strict'

const { AsyncResource } = require('node:async_hooks')
const errors = require('../errors')
const { closeConnection } = require('../request/drain')
const { hasArrived, isClosing } = require('../request/facts')

/**
 * The state of one request while its body is read and parsed. Only its own
 * methods write its fields; docs/architecture.md shows who calls which, and when.
 *
 * The constructor sets all fields in one order, so that every exchange has the
 * same hidden class. It is an AsyncResource because a request emits its events
 * in the async context of its socket: what runs in the scope of the exchange
 * sees the context of the middleware's caller, be it that of
 * AsyncLocalStorage, async_hooks or a domain.
 */
class Exchange extends AsyncResource {
  /** @param {object} parts the arguments of `read`, and the match */
  constructor ({ req, res, next, match, parser }) {
    super('BodyParser')
    this.req = req
    this.res = res
    this.next = next
    this.match = match
    this.parser = parser
    this.lane = 'identity' // or 'one-shot', 'stream', 'buffered'
    this.limit = parser.limit // most bytes, when content codings are undone
    const coding = req.headers['content-encoding'] // in an adapter, maybe not a string
    this.isCoded = Boolean(coding) && coding.toLowerCase?.() !== 'identity'
    // Bytes that an uncoded body declares; null if unknown, NaN if unreadable.
    this.length = this.isCoded ? null : declaredLength(req.headers)
    this.received = 0 // bytes so far, before content codings are undone
    this.decoded = null // bytes, when content codings are undone; null until the body is complete
    this.controller = null // AbortController of `signal`, once it is asked for
    this.onAbort = null // ends the current step with an error: reading, draining, or waiting for a promise of the app's
    this.mustClose = false // whether `fail` closes the connection, and the request is not drained
    this.undo = null // runs before the exchange fails; see `undoOnFailure`
  }

  /** @param {number} bytes option `limit`, where it is a function */
  setLimit (bytes) {
    this.limit = bytes
  }

  /** @param {'one-shot' | 'stream' | 'buffered'} lane that reads this body; without this call, the identity lane */
  setLane (lane) {
    this.lane = lane
  }

  /** @param {(error: Error) => void} abort ends the step that begins now with an error */
  beginStep (abort) {
    this.onAbort = abort
  }

  endStep () {
    this.onAbort = null
  }

  /**
   * Ends the current step with this error; does nothing between two steps.
   *
   * @param {Error} error
   * @param {boolean} mustClose close the connection, unless the body has arrived whole: the next request of the
   *   connection may run already, and has to be answered on it
   * @returns {boolean} whether there was a step
   */
  failStep (error, mustClose) {
    const { onAbort, received, req } = this
    if (onAbort === null) return false
    this.mustClose = mustClose && !hasArrived(req, received)
    this.controller ??= new AbortController() // also for code that asks for `signal` later
    this.runInAsyncScope(() => {
      this.controller.abort(error) // a listener of the app's may destroy the request, which ends the step
      onAbort(error)
    })
    return true
  }

  /** The client has left. */
  onLeft () {
    this.failStep(this.aborted(), false)
  }

  /** @returns {Error} for a client that leaves before the end of the body */
  aborted () {
    return errors.aborted(this.length, this.received)
  }

  get body () {
    return this.req.body
  }

  /** @returns {Error} for what the app's `parse` throws. Its message may tell internals, so clients do not see it */
  parseError (error, content) {
    return errors.unparsable(error, content, {}, true)
  }

  /** The signal that tells code of the app to stop, when its promise is no longer awaited. */
  get signal () {
    this.controller ??= new AbortController()
    return this.controller.signal
  }

  /** @param {number} bytes received, before content codings are undone */
  count (bytes) {
    this.received += bytes
  }

  /**
   * Counts a chunk that is collected.
   *
   * @param {number} bytes
   * @param {number} limit of all chunks together
   * @returns {Error | null} why it is not to be collected
   */
  receive (bytes, limit) {
    this.received += bytes
    return this.received > limit ? errors.receivedTooLarge(this.received, limit) : null
  }

  // The methods below do little or nothing. A parser with guards has a GuardedExchange
  // (../../options/guards.js) instead, whose methods tell the guards.

  /**
   * @param {number} bytes received or decoded, that are in memory from now on; below 0, that no longer are
   * @returns {Error | null} why the budget has no room for them
   */
  reserve (bytes) {
    return null
  }

  /** Records the decoded size, in bytes, once the body is complete. */
  setDecoded (bytes) {
    this.decoded = bytes
  }

  /** The client has to wait: for a store or a loop of the app, or for the budget. */
  beginWait () {}

  endWait () {}

  /** The content is not needed any more, after an error. */
  releaseContent () {}

  /** So many bytes were read off after an error. */
  countDrained (bytes) {}

  /** `next` is about to be called. */
  releaseGuards () {}

  /**
   * Sets a field of the request for the app, which may have put a setter there.
   *
   * @param {'body' | 'files' | 'rawBody'} name
   * @param {unknown} value
   * @param {(error: unknown) => Error} [createError] of what a setter throws
   * @returns {boolean} false if the exchange has failed
   */
  setField (name, value, createError = errors.thrown) {
    try {
      this.req[name] = value
      return true
    } catch (error) {
      this.fail(createError(error))
      return false
    }
  }

  /** @param {(done: () => void, error: unknown) => void} undo runs before `next` gets an error of a later stage */
  undoOnFailure (undo) {
    this.undo = undo
  }

  /** What follows the last stage: the parser is done, and `req.body` is set. */
  static end (exchange) {
    const { next, req } = exchange
    if (req.httpVersionMajor === 2 && isClosing(req)) return exchange.afterClose(Exchange.end, exchange)
    next() // called unbound, so that the app's `this` is not the exchange
  }

  /** @param {boolean} [mustClose] whether to close the connection, as the rest of the body is not read */
  fail (error, mustClose = this.mustClose) {
    const { next, req, undo } = this
    if (undo !== null) {
      this.undo = null
      undo(() => this.runInAsyncScope(this.fail, this, error, mustClose), error)
      return
    }
    if (isClosing(req)) return this.afterClose(this.fail, error, mustClose)
    this.releaseGuards()
    if (mustClose) closeConnection(this)
    next(error)
  }

  afterClose (callback, ...args) {
    const { req } = this
    req.stream.once('close', () => this.runInAsyncScope(callback, this, ...args))
    req.resume() // a stream with unread data does not close
  }
}

/** Bytes; null if not declared. As lenient about numbers as body-parser. */
function declaredLength (headers) {
  const value = headers['content-length']
  if (value === undefined || value === null) return null
  const isUsable = headers['transfer-encoding'] === undefined || !isNaN(value) // `isNaN` last, as it is slow
  return isUsable ? parseInt(value, 10) : null
}

module.exports = Exchange
module.exports.declaredLength = declaredLength
