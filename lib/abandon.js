'use strict'

// The way of an error in reading: what the client still sends is read off and
// thrown away, up to a bound, and then the error goes to `next`.

const { AsyncResource } = require('node:async_hooks')
const { ensureBody, giveUp, isFinished } = require('./gate')
const { nextTick, setTimeout } = require('./loop')

/**
 * Reports the error once the rest of the request has been read off, so that
 * the connection can carry the next one; or at once, if nothing more can come,
 * or if this is no request of a connection. If the rest is, or is declared to
 * be, over `drainLimit`, the connection is given up instead.
 *
 * @param {import('./exchange')} exchange
 * @param {Error} error
 */
function abandon (exchange, error) {
  const { req, next, length, received, drainLimit } = exchange
  const context = exchange.context ?? new AsyncResource('BodyParser')
  let drained = 0 // bytes
  let draining = false
  exchange.chunk = exchange.chunks = null
  req.unpipe?.() // somebody slow would hold us up
  req.resume?.()
  if (typeof req.complete !== 'boolean' || req.readable === false || isFinished(req)) {
    nextTick(report)
  } else if (length - received > drainLimit) {
    hangUp(exchange)
    nextTick(report)
  } else {
    draining = true
    req.on('data', onData)
    req.on('pause', onPause)
    req.on('end', onDrained)
    req.on('error', onDrained)
    req.on('close', onDrained)
  }

  function onData (chunk) {
    drained += chunk.length
    if (drained > drainLimit) {
      stopDraining()
      hangUp(exchange)
      report()
    }
  }

  /** Paused, it would wait for ever. Whoever does that is let have done first. */
  function onPause () {
    nextTick(() => { if (draining) req.resume() })
  }

  function onDrained () {
    if (!draining) return // who emits goes on with the listeners that there were at the start
    stopDraining()
    report()
  }

  function stopDraining () {
    draining = false
    req.removeListener('data', onData)
    req.removeListener('pause', onPause)
    req.removeListener('end', onDrained)
    req.removeListener('error', onDrained)
    req.removeListener('close', onDrained)
  }

  function report () {
    ensureBody(req)
    context.runInAsyncScope(next, undefined, error)
  }
}

/**
 * Reads nothing more. When the response is out, the connection is closed; over
 * HTTP/2, the stream of this request alone.
 */
function hangUp ({ req, res }) {
  const { socket, stream } = req
  req.pause()
  if (req.httpVersionMajor === 2) {
    onceFinished(stream, () => stream.close())
  } else if (socket.destroySoon !== undefined) { // else it stands in for a connection
    const close = () => closeInStages(socket)
    giveUp(socket)
    socket.pause()
    shadow(socket, 'readable', false) // keeps the server, and those who await the end of the request, from resuming
    shadow(socket, 'destroySoon', close) // the server calls it when the response is out
    if (res?.once === undefined) return // a stand-in
    res.shouldKeepAlive = false // makes the server say `Connection: close`
    onceFinished(res, close) // if it had said something else before
  }
}

/** An own property in front of an inherited one. */
function shadow (object, name, value) {
  Object.defineProperty(object, name, { value, writable: true })
}

function onceFinished (writable, act) {
  if (writable.writableFinished) act()
  else writable.once('finish', act)
}

const LINGER = 2000 // milliseconds

/**
 * RFC 9112, section 9.6: closing a connection that holds unread bytes resets
 * it, which can take the response away from a client that is still sending.
 */
function closeInStages (socket) {
  socket.end()
  setTimeout(() => socket.destroy(), LINGER).unref()
}

module.exports = abandon
