'use strict'

const { completionError, precheck } = require('./collect')
const { nextTick } = require('../platform')
const errors = require('../errors')
const Bytes = require('./bytes')
const listen = require('../request/listen')
const onceClientLeaves = require('../request/client')

/**
 * Takes the content as it comes.
 *
 * @typedef {object} Sink
 * @property {(chunk: Buffer) => void} write
 * @property {() => void} end
 * @property {(error: unknown, done: () => void) => void} abort the content cannot be read to its end
 * @property {boolean} isBlocked whether it takes nothing more for now
 * @property {number} heldBytes in memory
 *
 * @typedef {object} Feed what a sink tells its source
 * @property {() => void} ready it takes more
 * @property {(error: unknown) => void} settled null: it is done; else why it takes nothing more
 */

/**
 * The source of a parser that does not wait for the whole body: gives its bytes,
 * after content codings are undone, to a sink, and holds them back while that is
 * blocked.
 *
 * @param {(exchange: import('./exchange'), feed: Feed) => Sink} createSink may throw
 * @param {(() => import('node:stream').Duplex) | null} createDecoder null without a content coding
 * @returns {import('../read').Reader} gives the sink
 */
module.exports = function createFeed (createSink, createDecoder) {
  return function feed (exchange, done) {
    const { limit, req } = exchange
    let sink, decoder
    let decoded = 0 // bytes
    let held = 0 // bytes
    let isWaiting = false // the client, for the sink
    let isDone = false // `emit` iterates over a copy of the listeners
    let forgetClient = () => {}
    try {
      const obstacle = precheck(exchange)
      if (obstacle !== null) throw obstacle
      sink = createSink(exchange, { ready: resume, settled: finish })
      decoder = createDecoder?.()
      if (decoder !== undefined) req.pipe(decoder)
    } catch (error) {
      isDone = true
      return nextTick(done, error)
    }
    const content = decoder ?? req
    const stopListening = listen([[req, 'aborted', onAborted], [req, 'close', onAborted], [req, 'data', count], [content, 'data', onData], [content, 'end', onEnd], ...(decoder === undefined ? [] : [[req, 'end', followClient]])])
    req.on('error', onError)
    if (decoder !== undefined) {
      exchange.setLane('stream')
      decoder.on('error', onError)
    }
    if (req.readableFlowing === false) req.resume() // it was paused explicitly
    exchange.beginStep(finish)
    forgetClient = onceClientLeaves(req, onLeft)

    function count (chunk) {
      exchange.count(Bytes.toBuffer(chunk).length)
    }

    function onData (piece) {
      const chunk = Bytes.toBuffer(piece)
      const room = limit - decoded
      decoded += chunk.length
      const error = hold(chunk.length)
      if (error !== null) return finish(error)
      sink.write(chunk.length > room ? chunk.subarray(0, Math.max(room, 0)) : chunk)
      if (chunk.length > room) finish(errors.receivedTooLarge(decoded, limit))
      if (isDone) return
      hold(sink.heldBytes - held)
      if (!sink.isBlocked) return
      content.pause()
      if (!isWaiting) exchange.beginWait()
      isWaiting = true
    }

    /** @returns {Error | null} why no more bytes may be held in memory */
    function hold (change) {
      held += change
      return exchange.hold(change)
    }

    function resume () {
      if (isDone) return
      hold(sink.heldBytes - held)
      stopWaiting()
      content.resume()
    }

    function stopWaiting () {
      if (isWaiting) exchange.endWait()
      isWaiting = false
    }

    function onError (error) {
      finish(errors.unreadable(error))
    }

    /** The request ends early. A coded one may be closed while its end is decoded. */
    function onAborted () {
      if (!decoder?.writableEnded) onGone()
    }

    /** Node tells nothing to a request that the app has answered. What has arrived whole is read to its end. */
    function onLeft () {
      if (req.complete === false) onGone()
    }

    function onGone () {
      finish(errors.aborted(exchange.length, exchange.received))
    }

    function onEnd () {
      const fault = decoder === undefined ? completionError(exchange, exchange.received) : null
      if (fault !== null) return finish(fault)
      stop()
      exchange.complete(decoded)
      followClient()
      sink.end()
    }

    /** The request has ended, and tells nothing more; but it may still be decoded, or the sink be busy. */
    function followClient () {
      forgetClient()
      forgetClient = onceClientLeaves(req, onGone)
    }

    function stop () {
      stopListening()
      if (decoder === undefined) return
      req.unpipe(decoder)
      req.resume() // bytes after the end of the coded body
    }

    /** @param {unknown} error why the content cannot be read to its end; null if the sink is done */
    function finish (error) {
      if (isDone) return
      isDone = true
      exchange.endStep()
      stopWaiting() // what is drained counts for `minRate` again
      stop()
      forgetClient()
      decoder?.destroy()
      if (error === null) return report()
      req.pause?.()
      sink.abort(error, report)

      function report () {
        req.removeListener('error', onError)
        if (error === null) done(null, sink, decoded)
        else done(error)
      }
    }
  }
}
