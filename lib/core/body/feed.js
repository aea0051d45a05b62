'use strict'

const { completionError, pipe, precheck } = require('./collect')
const { nextTick, setImmediate } = require('../platform')
const errors = require('../errors')
const ChunkList = require('./chunk-list')
const { sendContinue } = require('../request/continue')
const listen = require('../request/listen')
const onceClientLeaves = require('../request/client')
const { hasArrived, isClosedInOrder } = require('../request/facts')

/**
 * What gets the content of a request chunk by chunk: a form, or the queue of a loop.
 *
 * @typedef {object} Sink
 * @property {(chunk: Buffer) => void} write
 * @property {() => void} end
 * @property {(error: unknown, done: () => void) => void} abort the content cannot be read to its end
 * @property {boolean} isBlocked whether it takes nothing more for now
 * @property {number} heldBytes in memory
 *
 * @typedef {Pick<Feed, 'ready' | 'settled'>} Control what a sink tells its feed
 * @typedef {(exchange: import('./exchange'), feed: Control) => Sink} CreateSink may throw
 */

/**
 * The reader of a parser that does not wait for the whole body: gives its bytes,
 * after content codings are undone, to a sink, and holds them back while that is
 * blocked.
 *
 * @param {CreateSink} createSink
 * @param {(() => import('node:stream').Duplex) | null} createDecoder null without a content coding
 * @returns {import('../../read').StreamReader} gives the sink
 */
module.exports = function createFeed (createSink, createDecoder) {
  return function feed (exchange, done) {
    const feed = new Feed(exchange, done)
    try {
      const obstacle = precheck(exchange)
      if (obstacle !== null) throw obstacle
      feed.begin(createSink(exchange, feed), createDecoder === null ? null : createDecoder())
    } catch (error) {
      feed.isDone = true
      nextTick(done, exchange, error)
    }
  }
}

class Feed {
  constructor (exchange, done) {
    this.exchange = exchange
    this.done = done
    this.sink = null
    this.content = null // the request, or its decoder
    this.decoder = null // null without a content coding
    this.decoded = 0 // bytes, after content codings are undone
    this.held = 0 // bytes in memory that the guard counts
    this.isPaused = false // whether `content` is paused, as the sink is blocked
    this.isDone = false // `emit` iterates over a copy of the listeners
    this.hasLeft = false // whether the client has left after it has sent everything
    this.forgetClient = null
    this.stopListening = null
    const onError = (error) => this.settled(errors.unreadable(error))
    this.onError = onError
  }

  begin (sink, decoder) {
    const { exchange, exchange: { req } } = this
    this.sink = sink
    this.decoder = decoder
    this.content = decoder ?? req
    sendContinue(exchange)
    if (decoder !== null) {
      pipe(req, decoder)
      exchange.setLane('stream')
      decoder.on('error', this.onError)
    }
    this.listen()
    req.on('error', this.onError)
    if (req.readableFlowing === false) req.resume() // it was paused explicitly
    exchange.beginStep((error) => this.settled(error))
    this.forgetClient = onceClientLeaves(req, () => this.onLeft(), () => this.isWhole)
  }

  listen () {
    const { content, decoder, exchange: { req } } = this
    const onAborted = () => this.onAborted()
    const listeners = [
      [req, 'aborted', onAborted],
      [req, 'close', onAborted],
      [req, 'data', (piece) => this.onReceived(piece)],
      [content, 'end', () => this.onEnd()]
    ]
    if (decoder !== null) listeners.push([decoder, 'data', (chunk) => this.onShared(chunk)])
    this.stopListening = listen(listeners)
  }

  onReceived (piece) {
    if (this.isDone) return // by another listener of this chunk; what is held from now on is never released
    const chunk = ChunkList.toBuffer(piece)
    if (chunk === null) return this.settled(errors.notBytes(piece))
    this.exchange.count(chunk.length)
    if (this.decoder !== null) return
    if (this.exchange.req.httpVersionMajor === 2) this.onShared(chunk)
    else this.onData(chunk)
  }

  /**
   * A chunk in memory that zlib, or HTTP/2, goes on to write to, be it for another request. The app may transfer
   * the memory of what it gets of a file: either would throw out of an event.
   */
  onShared (chunk) {
    this.onData(Buffer.from(ChunkList.memoryOf(chunk)))
  }

  onData (chunk) {
    const { exchange: { limit, parser }, sink } = this
    const room = limit - this.decoded
    this.decoded += chunk.length
    const error = this.hold(chunk.length)
    if (error !== null) return this.settled(error)
    sink.write(chunk.length > room ? chunk.subarray(0, Math.max(room, 0)) : chunk)
    if (chunk.length > room) this.settled(errors.receivedTooLarge(this.decoded, limit, parser.createTooLarge))
    if (this.isDone) return
    this.hold(sink.heldBytes - this.held)
    if (sink.isBlocked && !this.hasLeft) this.pause()
  }

  /** @returns {Error | null} why no more bytes may be held in memory */
  hold (change) {
    const error = this.exchange.hold(change)
    if (error === null) this.held += change // what is refused is not counted
    return error
  }

  pause () {
    this.content.pause?.()
    if (!this.isPaused) this.exchange.beginWait()
    this.isPaused = true
  }

  /** The sink takes more. */
  ready () {
    if (this.isDone) return
    const error = this.hold(this.sink.heldBytes - this.held) // the sink may take more than it was given
    if (error !== null) return this.settled(error)
    this.endPause()
    this.content.resume?.()
  }

  endPause () {
    if (this.isPaused) this.exchange.endWait()
    this.isPaused = false
  }

  /** The request ends early. A coded one may be closed while its end is decoded. */
  onAborted () {
    const { decoder, exchange: { req } } = this
    const isInOrder = isClosedInOrder(req) && !req.destroyed && this.isWhole
    if (!isInOrder && !decoder?.writableEnded) this.abort()
  }

  get isWhole () {
    return hasArrived(this.exchange.req, this.exchange.received)
  }

  /**
   * Node tells nothing to a request that the app has answered. What has arrived
   * whole is given to the sink at once, as one that is blocked may never take it.
   */
  onLeft () {
    const { decoder, exchange: { decoded, req } } = this
    if (!this.isWhole || decoder !== null || decoded !== null || req.readableEnded) return this.abort()
    this.hasLeft = true
    this.endPause()
    req.once('end', () => nextTick(() => this.abort())) // the app may have removed the other listeners
    req.resume()
  }

  abort () {
    this.settled(this.exchange.aborted())
  }

  onEnd () {
    const { decoder, exchange, exchange: { req } } = this
    if (decoder === null) {
      // Node discards what it has of a request that is answered before anybody reads it.
      const fault = req._dumped ? errors.notReadable() : completionError(exchange)
      if (fault !== null) return this.settled(fault)
    }
    this.detach()
    exchange.complete(this.decoded)
    this.sink.end()
  }

  detach () {
    const { decoder, exchange: { req } } = this
    this.stopListening()
    if (decoder === null) return
    decoder.destroy()
    req.unpipe(decoder)
    req.resume() // bytes after the end of the coded body
  }

  /** @param {unknown} error why the content cannot be read to its end; null if the sink is done */
  settled (error) {
    const { exchange, exchange: { req }, sink } = this
    if (this.isDone) return
    this.isDone = true
    exchange.endStep()
    this.endPause() // what is drained counts for `minRate` again
    this.detach()
    this.forgetClient()
    if (error === null) return this.report(null)
    req.pause?.()
    sink.abort(error, () => this.report(error))
  }

  report (error) {
    const { req } = this.exchange
    const forget = () => req.removeListener('error', this.onError)
    if (req.destroyed) setImmediate(forget) // its error, once that has found a listener, is emitted some ticks later
    else forget()
    this.done(this.exchange, error, this.sink, this.decoded)
  }
}
