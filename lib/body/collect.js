'use strict'

const errors = require('../errors')
const { nextTick } = require('../platform')

/**
 * The identity lane: collects the chunks of the request, under its limit and
 * its declared length. Listens in the call of the middleware, to the events
 * that body-parser listens to, so that code that observes the request sees the
 * same.
 *
 * @param {import('./exchange')} exchange
 * @param {Parameters<import('../read').Source>[1]} done
 * @param {number | null} [codedLength] declared bytes of a coded body, which are not checked
 */
function collect (exchange, done, codedLength = null) {
  const { req } = exchange
  let isDone = false // `emit` iterates over a copy of the listeners
  const obstacle = precheck(exchange)
  if (obstacle !== null) {
    nextTick(done, obstacle)
    return
  }
  req.on('aborted', onAborted)
  req.on('close', onClose) // any other stream may close before its end
  req.on('data', onData)
  req.on('end', finish)
  req.on('error', finish)
  if (req.readableFlowing === false) req.resume() // it was paused explicitly
  exchange.onAbort = finish

  function onData (chunk) {
    if (isDone) return
    const error = exchange.add(chunk)
    if (error !== null) finish(error)
  }

  /** Code that holds back `end` does not hold up body-parser's decoder, which finds the end of a coded body itself. */
  function onClose () {
    if (exchange.received === codedLength) finish()
    else onAborted()
  }

  function onAborted () {
    finish(errors.aborted(exchange.length, exchange.received))
  }

  /** @param {unknown} [error] why the body cannot be read to its end */
  function finish (error) {
    if (isDone) return
    isDone = true
    exchange.onAbort = null
    req.removeListener('aborted', onAborted)
    req.removeListener('close', onClose)
    req.removeListener('data', onData)
    req.removeListener('end', finish)
    req.removeListener('error', finish)
    const fault = error ? errors.unreadable(error) : completionError(exchange)
    if (fault !== null) done(fault)
    else done(null, exchange.takeContent(), exchange.received)
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
function completionError ({ req, length, received }) {
  if (length !== null) return length === received ? null : errors.lengthMismatch(length, received)
  return req.aborted ? errors.aborted(null, received) : null // HTTP/2: a reset ends the stream as well
}

module.exports = collect
module.exports.completionError = completionError
module.exports.precheck = precheck
