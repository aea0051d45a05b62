'use strict'

const { nextTick } = require('./compat')
const { lazy } = require('./lazy')
const { isFinished } = require('./match')

const loadClose = lazy(() => require('../extras/close-connection'))

/**
 * The error path: reads off and discards the rest of the request, so that the
 * connection can carry the next one, then fails the exchange. Fails it at once
 * if nothing more can come, or if this is no request of a connection. If the
 * rest is, or is declared to be, over `drainLimit`, closes the connection.
 */
function drain (exchange, error) {
  const { req, received, mustClose, parser: { drainLimit } } = exchange
  let drained = 0 // bytes
  exchange.reading(cut) // while the rest comes, a deadline still counts
  exchange.discard()
  req.unpipe?.() // a slow destination would hold up the request
  req.pause?.() // as body-parser does, which shows
  const isOver = isFinished(req)
  if (isOver || typeof req.complete !== 'boolean' || req.readable === false) {
    if (!isOver) req.resume?.()
    report()
    return
  }
  if (mustClose || req.headers['content-length'] - received > drainLimit) { // the exchange has no length for coded bodies
    close(exchange)
    report()
    return
  }
  req.on('data', onData)
  req.on('pause', onPause)
  req.on('end', onDrained)
  req.on('aborted', onDrained)
  req.on('close', onDrained)
  // Node's own HTTP/1 request emits `error` only to listeners, so that one here
  // would be visible; any other would crash the process without one.
  const listensToErrors = !(req instanceof require('node:http').IncomingMessage)
  if (listensToErrors) req.on('error', onDrained)
  req.resume()

  function onData (chunk) {
    drained += chunk.length
    exchange.observer?.drained(chunk.length)
    if (drained > drainLimit) cut()
  }

  function cut () {
    stop()
    close(exchange)
    report()
  }

  /** A paused request never ends. Resume after the code that paused it has run. */
  function onPause () {
    nextTick(() => { if (exchange.isReading()) req.resume() })
  }

  function onDrained () {
    if (!exchange.isReading()) return // `emit` iterates over a copy of the listeners
    stop()
    report()
  }

  function stop () {
    req.removeListener('data', onData)
    req.removeListener('pause', onPause)
    req.removeListener('end', onDrained)
    req.removeListener('aborted', onDrained)
    req.removeListener('close', onDrained)
    if (listensToErrors) req.removeListener('error', onDrained)
  }

  function report () {
    exchange.reading(null)
    exchange.runInAsyncScope(exchange.fail, exchange, error)
  }
}

function close (exchange) {
  try {
    loadClose()(exchange)
  } catch { // cannot be loaded now
    exchange.req.socket.destroy()
  }
}

module.exports = drain
module.exports.load = loadClose
