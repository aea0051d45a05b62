'use strict'

// Option `streamHandler`: the app writes the body, which something else may
// have read before, to a stream.

const { Writable } = require('node:stream')
const Feed = require('../../core/body/feed')
const { isThenable } = require('../../core/checks')
const errors = require('../../core/errors')
const { nextTick } = require('../../core/platform')
const { claim } = require('../../core/request/claims')
const listen = require('../../core/request/listen')
const onDisconnect = require('../../core/request/disconnect')
const Source = require('../../core/source/source')
const { withoutThrowing } = require('../storage/file-stream')
const { unexpectedEnd } = require('./errors')

/**
 * @param {import('../../core/body/feed').CreateSink} createForm
 * @param {(req: object, stream: Writable) => unknown} streamHandler
 * @param {number} [highWaterMark] of the stream
 * @returns {import('../../read').Reader}
 */
module.exports = (createForm, streamHandler, highWaterMark) => function readHandled (exchange, done) {
  const { req } = exchange
  const feed = new Feed(exchange, close)
  const source = new WrittenSource(exchange, feed.fail, highWaterMark)
  let form = null
  let forget = null // once it has begun
  try {
    form = createForm(exchange, feed)
    exchange.setLane('stream')
    claim(req, 'handler')
    exchange.beginStep(feed.fail)
    forget = onceBroken(exchange, feed.fail)
    feed.begin(form, source)
    const result = exchange.runInAsyncScope(streamHandler, undefined, req, source.stream)
    if (isThenable(result)) result.then(undefined, (error) => nextTick(fail, error))
  } catch (error) {
    fail(error)
  }

  function fail (error) {
    feed.fail(errors.thrown(error))
  }

  function close (error) {
    exchange.endStep()
    forget?.()
    if (error === null) return nextTick(done, exchange, null, form, exchange.received)
    req.unpipe?.(source.stream)
    source.stream.destroy()
    const report = () => nextTick(done, exchange, error)
    if (form === null) report()
    else form.stop(error, report)
  }
}

/** @returns {() => void} forgets the callback, which gets an error */
function onceBroken (exchange, callback) {
  const { req } = exchange
  const onGone = () => callback(exchange.aborted())
  const onClose = () => { if (!req.readableEnded) onGone() } // of any stream; one that was read before has ended
  const forgetClient = onDisconnect(req, onGone)
  const stopListening = listen([[req, 'close', onClose], [req, 'error', callback]])
  return () => {
    forgetClient()
    stopListening()
  }
}

/** `destroy` reports an error, and the app may remove all listeners. */
const HandlerStream = withoutThrowing(Writable)

/** What is written to a stream. */
class WrittenSource extends Source {
  constructor (exchange, onFault, highWaterMark) {
    super()
    this.resume = null // calls back for a chunk, once the next one is asked for
    this.stream = new HandlerStream({
      highWaterMark,
      write: (chunk, encoding, callback) => {
        exchange.count(chunk.length)
        this.resume = callback
        this.give(chunk)
      },
      final: (callback) => {
        exchange.setDecoded(exchange.received) // nothing more is awaited of the client
        this.end()
        callback()
      },
      destroy: (error, callback) => {
        callback(error)
        if (this.stream.writableFinished) return
        this.end(error ?? unexpectedEnd())
        onFault(this.fault)
      }
    })
  }

  ask () {
    const { resume } = this
    this.resume = null
    resume?.()
  }
}

module.exports.WrittenSource = WrittenSource // for the tests of the contract of sources
