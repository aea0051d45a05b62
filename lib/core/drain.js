'use strict'

const { isFinished, markClosing } = require('./match')
const { nextTick, setTimeout } = require('./compat')

/**
 * The error path: reads off and discards the rest of the request, so that the
 * connection can carry the next one, then fails the exchange. Fails it at once
 * if nothing more can come, or if this is no request of a connection. If the
 * rest is, or is declared to be, over `drainLimit`, closes the connection.
 */
function drain (exchange, error) {
  const { req, length, received, parser: { drainLimit } } = exchange
  let drained = 0 // bytes
  let isDraining = true
  exchange.discard()
  req.unpipe?.() // a slow destination would hold up the request
  if (typeof req.complete !== 'boolean' || req.readable === false || isFinished(req)) {
    req.resume?.()
    report()
    return
  }
  if (length - received > drainLimit) {
    closeConnection(exchange)
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
    if (drained <= drainLimit) return
    stop()
    closeConnection(exchange)
    report()
  }

  /** A paused request never ends. Resume after the code that paused it has run. */
  function onPause () {
    nextTick(() => { if (isDraining) req.resume() })
  }

  function onDrained () {
    if (!isDraining) return // `emit` iterates over a copy of the listeners
    stop()
    report()
  }

  function stop () {
    isDraining = false
    req.removeListener('data', onData)
    req.removeListener('pause', onPause)
    req.removeListener('end', onDrained)
    req.removeListener('aborted', onDrained)
    req.removeListener('close', onDrained)
    if (listensToErrors) req.removeListener('error', onDrained)
  }

  function report () {
    exchange.runInAsyncScope(exchange.fail, exchange, error)
  }
}

/**
 * Reads nothing more, and closes the connection once the response is sent;
 * over HTTP/2, closes the stream of this request alone.
 */
function closeConnection ({ req, res }) {
  const { socket, stream } = req
  req.pause()
  if (req.httpVersionMajor === 2) {
    onceFinished(stream, () => stream.close())
  } else if (socket.destroySoon !== undefined) { // else a wrapper's stand-in for a connection
    const close = () => closeInStages(socket)
    markClosing(socket)
    socket.pause()
    Object.defineProperties(socket, { // own properties in front of inherited ones
      readable: { value: false, writable: true }, // keeps the server, and code that awaits the end of the request, from resuming
      destroySoon: { value: close, writable: true } // called by the server when the response is sent
    })
    if (res?.once === undefined) return // a stand-in
    res.shouldKeepAlive = false // makes the server send `Connection: close`
    onceFinished(res, close) // if the header was sent before
  }
}

function onceFinished (writable, act) {
  if (writable.writableFinished) act()
  else writable.once('finish', act)
}

const LINGER = 2000 // ms

/**
 * RFC 9112, section 9.6: closing a connection that holds unread bytes resets
 * it, which can take the response away from a client that is still sending.
 */
function closeInStages (socket) {
  socket.end()
  setTimeout(() => socket.destroy(), LINGER).unref?.() // a faked timer may lack it
}

module.exports = drain
