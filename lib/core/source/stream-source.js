'use strict'

const errors = require('../errors')
const { nextTick, setImmediate } = require('../platform')
const onDisconnect = require('../request/disconnect')
const { hasArrived, isStillToEnd } = require('../request/facts')
const { countWaiters, tellWaiters } = require('../request/listen')
const { toBuffer } = require('./chunk-list')
const Source = require('./source')

/**
 * The body of a request of Node.js, or of any stream in its place: listens in
 * the call of the middleware, to the events that body-parser listens to.
 */
class StreamSource extends Source {
  /**
   * @param {import('../body/exchange')} exchange counts what comes
   * @param {(error: unknown) => void} onFault is called as soon as the request breaks, maybe several times, and maybe
   *   after its end: a form that waits for a store reads nothing, and would not learn of it
   * @param {() => void} onWhole is called at the end, before the read that waits is answered
   */
  constructor (exchange, onFault, onWhole) {
    super()
    this.exchange = exchange
    this.req = exchange.req
    this.onFault = onFault
    this.onWhole = onWhole
    this.isPaused = false // whether this source has paused the request
    this.hasLeft = false // whether the client has left after it has sent everything
    this.waiters = countWaiters(exchange.req)
    const onError = (error) => this.fail(errors.unreadable(error))
    this.onRequestError = onError
    this.stopListening = ignore
    this.forgetClient = ignore
  }

  /** Begins to listen. A stand-in for a request may emit everything within this call. */
  open () {
    const { req } = this
    const onClose = () => this.onClose()
    const onData = (piece) => this.onData(piece)
    const onEnd = () => this.onEnd()
    req.on('aborted', onClose) // written out, as a list of listeners would have to be made for each request
    req.on('close', onClose)
    req.on('data', onData)
    req.on('end', onEnd)
    const stopListening = () => {
      req.removeListener?.('aborted', onClose)
      req.removeListener?.('close', onClose)
      req.removeListener?.('data', onData)
      req.removeListener?.('end', onEnd)
    }
    this.stopListening = stopListening
    req.on('error', this.onRequestError)
    if (req.readableFlowing === false) req.resume() // it was paused explicitly
    this.forgetClient = onDisconnect(req, () => this.onLeft(), () => this.isWhole)
  }

  get isWhole () {
    return hasArrived(this.req, this.exchange.received)
  }

  ask () {
    if (!this.isPaused) return
    this.isPaused = false
    this.req.resume?.()
  }

  /** Who has resumed the request although it is paused, as Express does before it answers an error, is not to wait. */
  pause () {
    if (this.hasLeft) return
    if (this.isPaused) tellWaiters(this.req, this.waiters)
    this.isPaused = true
    this.req.pause?.()
  }

  onData (piece) {
    if (this.isOver) return // another listener has stopped it: `emit` iterates over a copy of the list
    const chunk = toBuffer(piece)
    if (chunk === null) return this.fail(errors.notBytes(piece))
    this.exchange.count(chunk.length)
    this.give(chunk)
  }

  onEnd () {
    const { exchange: { length, received }, req } = this
    if (req._dumped) this.end(errors.notReadable()) // Node discards the rest of a request that was answered
    else if (req.aborted && length === null) this.end(errors.aborted(null, received)) // over HTTP/2, by a reset
    else {
      this.onWhole()
      this.end()
    }
  }

  /** The request ends early, or is closed in order before its end is emitted. */
  onClose () {
    if (!isStillToEnd(this.req, this.exchange.received)) this.failAborted()
  }

  /**
   * The client has left, of which a request that the app has answered emits nothing. A body that has arrived whole is
   * read at once: paused, as nobody waits for it, it would never end.
   */
  onLeft () {
    if (this.isOver || !this.isWhole || this.req.readableEnded) return this.failAborted()
    this.hasLeft = true
    this.req.once('end', () => nextTick(() => this.failAborted())) // the app may have removed the other listeners
    this.req.resume()
  }

  failAborted () {
    this.fail(this.exchange.aborted())
  }

  fail (error) {
    this.end(error)
    this.onFault(error)
  }

  release () {
    this.stopListening()
  }

  /** From now on `onFault` is not called for errors of the request. */
  releaseErrorListener () {
    const { onRequestError, req } = this
    if (!req.destroyed) req.removeListener('error', onRequestError)
    else setImmediate(() => req.removeListener('error', onRequestError)) // its error is emitted some ticks later
  }
}

function ignore () {}

module.exports = StreamSource
