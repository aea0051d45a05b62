'use strict'

const { AsyncResource } = require('node:async_hooks')
const errors = require('./errors')

const SMALL = 512 // bytes; a Buffer of its own takes about a kilobyte more
const SMALL_CHUNKS = 1024 // joined at a time

/**
 * The state of one request while its body is read. Only this class writes it.
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
    this.decoded = null // bytes, afterwards; null until the content is whole
    this.chunk = null // the first chunk
    this.chunks = null // all chunks, once there are two
    this.smallChunks = 0
    this.interrupt = null // ends the source that is reading, with an error; null if none is
    this.mustClose = false // the connection, instead of draining the request
    this.observer = parser.observe === null ? null : parser.observe(this)
  }

  /** Sets what ends the source with an error, while it reads; null when it is done. */
  reading (interrupt) {
    this.interrupt = interrupt
  }

  isReading () {
    return this.interrupt !== null
  }

  /** Ends the reading with this error, if it still goes on. */
  giveUp (error, mustClose) {
    this.mustClose = mustClose
    this.interrupt?.(error)
  }

  /** Sets the limit of the content, and the declared length, null for none; bytes. */
  bound (limit, length) {
    this.limit = limit
    this.length = length
  }

  enter (lane) {
    this.lane = lane
  }

  /** Counts bytes that something else collects. */
  count (bytes) {
    this.received += bytes
  }

  /**
   * Adds a chunk; the first one is not copied, as mostly it is the only one.
   *
   * @param {Buffer | string | ArrayBufferView} piece a Buffer, of Node's requests;
   *   a string if `req.setEncoding` was called while the body was read
   * @returns {Error | null} why the body cannot be read on
   */
  add (piece) {
    const chunk = toBuffer(piece)
    this.received += chunk.length
    // Coded bytes may be more than the limit of what they decode to.
    if (this.received > this.limit && this.lane === 'identity') return errors.receivedTooLarge(this.received, this.limit)
    if (this.chunk === null) this.chunk = chunk
    else if (this.chunks === null) this.chunks = [this.chunk, chunk]
    else this.chunks.push(chunk)
    if (chunk.length < SMALL && ++this.smallChunks % SMALL_CHUNKS === 0) joinLast(this.chunks)
    return this.hold(chunk.length)
  }

  /**
   * @param {number} bytes received or decoded; fewer than 0: so many are held no more
   * @returns {Error | null} why no more bytes may be held
   */
  hold (bytes) {
    return this.observer === null ? null : this.observer.held(bytes)
  }

  /** What was received: one Buffer, or a list for a parser that takes chunks. Drops the references. */
  takeContent () {
    const { chunk, chunks, received, parser: { takesChunks, keepsBytes } } = this
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
    this.observer?.ended()
  }

  /** The content is whole, and of so many bytes. */
  complete (bytes) {
    this.decoded = bytes
    this.observer?.completed(bytes)
  }

  /** The parser is done, and `req.body` is set. */
  succeed () {
    const { next, observer } = this
    observer?.ended()
    next() // without a receiver, which would show the exchange to the app
  }

  fail (error) {
    const { next, observer } = this
    observer?.ended()
    next(error)
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

/** Bounds memory for clients that send one byte per chunk. */
function joinLast (chunks) {
  chunks.push(Buffer.concat(chunks.splice(-SMALL_CHUNKS)))
}

function toBuffer (piece) {
  if (Buffer.isBuffer(piece)) return piece
  if (typeof piece === 'string') return Buffer.from(piece)
  return Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
}

module.exports = Exchange
