'use strict'

const ChunkList = require('./chunk-list')
const errors = require('../errors')
const { nextTick } = require('../platform')
const { sendContinue } = require('../request/continue')

const MAX_TAIL = 64 * 1024 // bytes that small chunks are joined to

/**
 * The identity lane: collects the chunks of the request, under its limit and
 * its declared length. Listens in the call of the middleware, to the events
 * that body-parser listens to, so that code that observes the request sees the
 * same.
 *
 * @param {import('./exchange')} exchange
 * @param {import('../read').Done} done
 * @param {number | null} [codedLength] declared bytes of a coded body, which are not checked
 */
function collect (exchange, done, codedLength = null) {
  const obstacle = precheck(exchange)
  if (obstacle !== null) return nextTick(done, exchange, obstacle)
  const { req } = exchange
  if (req.headers.expect !== undefined) sendContinue(exchange)
  const body = new Body(exchange, done, codedLength)
  req.on('aborted', body.onAborted)
  req.on('close', body.onClose) // any other stream may close before its end
  req.on('data', body.onData)
  req.on('end', body.finish)
  req.on('error', body.finish)
  if (req.readableFlowing === false) req.resume() // it was paused explicitly
  if (exchange.guard !== null) exchange.beginStep(body.finish) // nothing else ends it
}

/** The chunks of one body, as they come. */
class Body {
  constructor (exchange, done, codedLength) {
    this.exchange = exchange
    this.done = done
    this.codedLength = codedLength
    this.limit = exchange.lane === 'identity' ? exchange.limit : Infinity // coded bytes may be more than they decode to
    this.received = 0 // bytes
    this.first = null // the first chunk, which is not copied: mostly it is the only one
    this.chunks = null // all of them, once there are two
    this.isDone = false // `emit` iterates over a copy of the listeners
  }

  onAborted = () => this.finish(errors.aborted(this.exchange.length, this.received))

  /** Code that holds back `end` does not hold up body-parser's decoder, which finds the end of a coded body itself. */
  onClose = () => {
    if (this.received === this.codedLength) this.finish()
    else this.onAborted()
  }

  onData = (piece) => {
    const { exchange, limit } = this
    if (this.isDone) return
    const chunk = Buffer.isBuffer(piece) ? piece : ChunkList.toBuffer(piece)
    this.received += chunk.length
    if (this.received > limit) return this.finish(errors.receivedTooLarge(this.received, limit))
    if (this.first === null) this.first = chunk
    else (this.chunks ??= new ChunkList([this.first], MAX_TAIL)).write(chunk, 0, chunk.length)
    if (exchange.guard === null) return
    exchange.count(chunk.length)
    const error = exchange.hold(chunk.length)
    if (error !== null) this.finish(error)
  }

  /** @param {unknown} [error] why the body cannot be read to its end */
  finish = (error) => {
    const { exchange, exchange: { req }, received } = this
    if (this.isDone) return
    this.isDone = true
    req.removeListener('aborted', this.onAborted)
    req.removeListener('close', this.onClose)
    req.removeListener('data', this.onData)
    req.removeListener('end', this.finish)
    req.removeListener('error', this.finish)
    if (exchange.guard !== null) exchange.endStep()
    const fault = error ? errors.unreadable(error) : completionError(exchange, received)
    // `complete` sets `received` of a whole body without a content coding.
    if (fault !== null || exchange.isCoded) exchange.count(received - exchange.received)
    if (fault !== null) this.done(exchange, fault)
    else this.done(exchange, null, this.take(), received)
  }

  /** @returns {Buffer | Buffer[]} one Buffer, or a list for a parser that takes chunks */
  take () {
    const { chunks, exchange: { lane, parser }, first, received } = this
    if (parser.takesChunks && lane === 'identity') return chunks?.pieces() ?? (first === null ? [] : [first])
    if (chunks !== null) return Buffer.concat(chunks.pieces(), received)
    if (first === null) return Buffer.alloc(0)
    return parser.keepsBytes ? ChunkList.trim(first) : first // over HTTP/2 a part of a buffer of 64 KiB
  }
}

/** Why the request cannot be read at all, in body-parser's order; null if it can. */
function precheck ({ req, match, lane, length, limit }) {
  if (length !== null && length > limit) return errors.declaredTooLarge(length, limit)
  if (req.readableEncoding && lane === 'identity') return errors.encodingSet() // a decoder will report the strings
  if (req.readable === false) return errors.notReadable()
  if (match.decode === null) return errors.unsupportedCharset(match.charset)
  return null
}

/** What is wrong with a body that has ended; null if nothing. */
function completionError ({ req, length }, received) {
  if (length !== null) return length === received ? null : errors.lengthMismatch(length, received)
  return req.aborted ? errors.aborted(null, received) : null // HTTP/2: a reset ends the stream as well
}

module.exports = collect
module.exports.Body = Body
module.exports.completionError = completionError
module.exports.precheck = precheck
