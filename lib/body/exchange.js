'use strict'

const { AsyncResource } = require('node:async_hooks')
const Bytes = require('./bytes')
const errors = require('../errors')
const closeConnection = require('../request/close-connection')
const { isClosing } = require('../request/facts')

const MAX_TAIL = 64 * 1024 // bytes

/**
 * The state of one request while its body is read and parsed.
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
    this.length = null // declared bytes; null if unknown, NaN if unreadable
    this.received = 0 // bytes so far, before content codings are undone
    this.decoded = null // bytes, afterwards; null until the body is complete
    this.chunk = null // the first chunk
    this.chunks = null // all chunks, once there are two
    this.waits = 0 // what the client has to wait for: a store or a loop of the app, the budget
    this.waited = 0 // ms that it had to
    this.waitsSince = null // ms on the clock of performance.now(), while it does
    this.controller = null // of `signal`
    this.onAbort = null // ends with an error what is going on: reading, draining, or waiting for a promise of the app's
    this.mustClose = false // the connection when it fails, instead of draining the request
    this.guard = parser.createGuard === null ? null : parser.createGuard(this)
  }

  /** Ends what is going on with this error; does nothing between two steps. */
  abort (error, mustClose) {
    if (this.onAbort === null) return
    this.mustClose = mustClose
    this.controller ??= new AbortController() // also for code that asks for `signal` later
    this.controller.abort(error)
    this.runInAsyncScope(this.onAbort, undefined, error)
  }

  /** The client has left. */
  leave () {
    this.abort(errors.aborted(this.length, this.received), false)
  }

  /** Tells code of the app to stop, as its promise is no longer awaited. */
  get signal () {
    this.controller ??= new AbortController()
    return this.controller.signal
  }

  /** The client has to wait, maybe for another thing already. */
  beginWait () {
    if (++this.waits === 1) this.waitsSince = performance.now()
  }

  endWait () {
    if (--this.waits > 0) return
    this.waited += performance.now() - this.waitsSince
    this.waitsSince = null
  }

  /**
   * Adds a chunk; the first one is not copied, as mostly it is the only one.
   *
   * @returns {Error | null} why the body cannot be read on
   */
  add (piece) {
    const chunk = toBuffer(piece)
    this.received += chunk.length
    // Coded bytes may be more than the limit of what they decode to.
    if (this.received > this.limit && this.lane === 'identity') return errors.receivedTooLarge(this.received, this.limit)
    if (this.chunk === null) this.chunk = chunk
    else (this.chunks ??= new Bytes([this.chunk], MAX_TAIL)).write(chunk, 0, chunk.length)
    return this.hold(chunk.length)
  }

  /**
   * @param {number} bytes received or decoded; below 0: this many are held no more
   * @returns {Error | null} why no more may be held
   */
  hold (bytes) {
    return this.guard === null ? null : this.guard.held(bytes)
  }

  /** What was received: one Buffer, or a list for a parser that takes chunks. Drops the references. */
  takeContent () {
    const { chunk, received, parser: { takesChunks, keepsBytes } } = this
    const chunks = this.chunks === null ? null : this.chunks.pieces()
    this.chunk = this.chunks = null
    if (this.lane === 'identity') {
      if (takesChunks) return chunks ?? (chunk === null ? [] : [chunk])
      if (chunks !== null && !keepsBytes) return concatShared(chunks, received)
    }
    if (chunks !== null) return Buffer.concat(chunks, received)
    if (chunk === null) return Buffer.alloc(0)
    return keepsBytes ? Exchange.trim(chunk) : chunk // over HTTP/2 a part of a buffer of 64 KiB
  }

  /** A copy, if the bytes would keep much more memory than they need. */
  static trim (bytes) {
    return bytes.length * 2 < bytes.buffer.byteLength ? Buffer.from(bytes) : bytes
  }

  /** The content is not needed any more. */
  discard () {
    this.chunk = this.chunks = null
    this.guard?.discarded()
  }

  /** Records the decoded size, in bytes, once the body is complete. */
  complete (bytes) {
    this.decoded = bytes
    this.guard?.completed()
  }

  /** The parser is done, and `req.body` is set. */
  succeed () {
    if (isClosing(this.req)) return this.afterClose(this.succeed)
    const { next, guard } = this
    guard?.ended()
    next() // called unbound, so that the app's `this` is not the exchange
  }

  fail (error) {
    if (isClosing(this.req)) return this.afterClose(this.fail, error)
    const { next, guard } = this
    guard?.ended()
    if (this.mustClose) closeConnection(this)
    next(error)
  }

  afterClose (act, error) {
    const { req } = this
    req.stream.once('close', () => this.runInAsyncScope(act, this, error))
    req.resume() // a stream with unread data does not close
  }
}

const SHARED = 1024 * 1024 // bytes; larger bodies are rare

/** Intentionally module-level: the last body that `concatShared` joined. Bounded by its size. */
let shared = null

/**
 * Joins chunks in memory that the next call overwrites: safe only if the
 * caller consumes the result synchronously, such as a decoder to text.
 * Allocating that much for each body costs more than copying it (bench: "json
 * 208 KB, 64 KB chunks", where bare allocates).
 */
function concatShared (chunks, length) {
  if (length > SHARED) return Buffer.concat(chunks, length)
  shared ??= Buffer.allocUnsafeSlow(SHARED)
  let at = 0
  for (const chunk of chunks) {
    shared.set(chunk, at)
    at += chunk.length
  }
  return shared.subarray(0, at)
}

/** Node's requests emit Buffers, but strings after `req.setEncoding`; other streams may emit any view. */
function toBuffer (piece) {
  if (Buffer.isBuffer(piece)) return piece
  if (typeof piece === 'string') return Buffer.from(piece)
  return Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
}

module.exports = Exchange
module.exports.toBuffer = toBuffer
