'use strict'

// Option `streamHandler`: the app writes the body, which something else may
// have read before, to a stream.

const { Writable } = require('node:stream')
const errors = require('../../core/errors')
const { nextTick } = require('../../core/platform')
const { claim } = require('../../core/request/claims')
const listen = require('../../core/request/listen')
const onceClientLeaves = require('../../core/request/client')
const { unexpectedEnd } = require('./errors')

/**
 * @param {import('../../core/body/feed').CreateSink} createForm
 * @param {(req: object, stream: Writable) => unknown} streamHandler
 * @param {number} [highWaterMark] of the stream
 * @returns {import('../../read').Reader}
 */
module.exports = (createForm, streamHandler, highWaterMark) => function readHandled (exchange, done) {
  const body = new HandledBody(exchange, done, highWaterMark)
  try {
    body.begin(createForm(exchange, body))
    const result = exchange.runInAsyncScope(streamHandler, undefined, exchange.req, body.stream)
    if (typeof result?.then === 'function') result.then(undefined, (error) => nextTick(fail, error))
  } catch (error) {
    fail(error)
  }

  function fail (error) {
    body.settled(errors.thrown(error))
  }
}

class HandlerStream extends Writable {
  /** `destroyed` reports an error: without a listener, which the app may remove, it would end the process. */
  emit (event, ...values) {
    return event === 'error' && this.listenerCount('error') === 0 ? false : super.emit(event, ...values)
  }
}

/** What feeds a form; see ../../core/body/feed.js. */
class HandledBody {
  constructor (exchange, done, highWaterMark) {
    this.exchange = exchange
    this.done = done
    this.form = null
    this.isDone = false
    this.held = 0 // bytes
    this.resume = null // calls back for the chunk that the form has no room for
    this.isWaiting = false // the client waits for a store
    this.forget = null // once it has begun
    this.stream = new HandlerStream({
      highWaterMark,
      write: (chunk, encoding, callback) => this.write(chunk, callback),
      final: (callback) => this.end(callback),
      destroy: (error, callback) => this.destroyed(error, callback)
    })
  }

  begin (form) {
    const { exchange, exchange: { req } } = this
    this.form = form
    exchange.setLane('stream')
    claim(req, 'handler')
    exchange.beginStep((error) => this.settled(error))
    const onGone = () => this.settled(errors.aborted(exchange.length, exchange.received))
    const forgetClient = onceClientLeaves(req, onGone)
    const onClose = () => { if (!req.readableEnded) onGone() } // of any stream; one that was read before has ended
    const onError = (error) => this.settled(error)
    const stopListening = listen([[req, 'aborted', onGone], [req, 'close', onClose], [req, 'error', onError]])
    const forget = () => {
      forgetClient()
      stopListening()
    }
    this.forget = forget
  }

  write (chunk, callback) {
    const { exchange, form } = this
    exchange.count(chunk.length)
    this.resume = callback
    form.write(chunk)
    const error = this.isDone ? null : this.hold()
    if (error !== null) this.settled(error)
    else if (form.isBlocked) this.beginWait()
    else this.ready()
  }

  beginWait () {
    this.isWaiting = true
    this.exchange.beginWait()
  }

  endWait () {
    if (this.isWaiting) this.exchange.endWait()
    this.isWaiting = false
  }

  hold () {
    const { exchange, form, held } = this
    this.held = form.heldBytes
    return exchange.hold(this.held - held)
  }

  /** The form takes more. */
  ready () {
    const { resume } = this
    this.endWait()
    this.resume = null
    resume?.()
  }

  end (callback) {
    const { exchange, form } = this
    exchange.complete(exchange.received) // nothing more is awaited of the client
    form.end()
    callback()
  }

  destroyed (error, callback) {
    callback(error)
    if (!this.stream.writableFinished) this.settled(error ?? unexpectedEnd())
  }

  settled (error) {
    const { exchange, exchange: { req }, form, stream } = this
    if (this.isDone) return
    this.isDone = true
    exchange.endStep()
    this.endWait()
    this.forget?.()
    if (error === null) return nextTick(this.done, exchange, null, form, exchange.received)
    req.unpipe?.(stream)
    stream.destroy()
    if (form === null) nextTick(this.done, exchange, error)
    else form.abort(error, () => nextTick(this.done, exchange, error))
  }
}
