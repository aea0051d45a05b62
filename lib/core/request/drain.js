'use strict'

// What becomes of a request after an error: its rest is read off, or its
// connection is closed. Option `drainLimit` decides.

const { warnOfHiddenLimit } = require('../hidden-limit')
const { nextTick, setImmediate, setTimeout } = require('../platform')
const { isContinueAwaited } = require('./continue')
const listen = require('./listen')
const { closeAnswered, ignoreErrors, onceFinished, tellWaiters } = listen
const { hasArrived, isClosed, isFinished, markClosing } = require('./facts')

/**
 * The error path: reads off and discards the rest of the request, so that the
 * connection can carry the next one, then fails the exchange. Fails it at once
 * if nothing more can come, or if this is not a request of a connection. If the
 * rest is, or is declared to be, over `drainLimit`, closes the connection; but
 * not behind a body that has arrived whole, where the next request may be.
 *
 * Somebody may destroy the request meanwhile. `next` is then called when the
 * request is closed, as in body-parser: called at once, it could answer on a
 * connection that is about to close, or throw over HTTP/2.
 *
 * @param {import('../body/exchange')} exchange
 * @param {unknown} error
 */
function drain (exchange, error) {
  const { mustClose, parser: { drainLimit }, received, req } = exchange
  warnOfHiddenLimit(exchange, error)
  const rest = req.headers['content-length'] - received // also of a coded body
  exchange.releaseContent()
  req.unpipe?.() // a slow destination would hold up the request
  req.pause?.() // as body-parser does: apps and tests see it
  if (isFinished(req)) {
    if (req.aborted) nextTick(() => exchange.fail(error))
    else exchange.fail(error)
  } else if (typeof req.complete !== 'boolean' || !req.socket || isClosed(req)) { // not a request of a connection
    req.resume?.()
    exchange.fail(error)
  } else if ((mustClose || isContinueAwaited(exchange) || rest > drainLimit) && !hasArrived(req, received)) {
    exchange.fail(error, true) // the client may never send the rest
  } else {
    readOff(exchange, error)
  }
}

/** Fails the exchange at the end of the request, or once more than `drainLimit` has come. */
function readOff (exchange, error) {
  const { parser: { drainLimit }, req } = exchange
  let drained = 0 // bytes
  let isDone = false // `emit` iterates over a copy of the listeners
  const report = () => end(false)
  const socket = socketOf(req)
  const stopListening = listen([
    [req, 'data', onData], [req, 'pause', onPause], [req, 'end', report], [req, 'close', onClose],
    ...(isIncomingMessage(req) ? [] : [[req, 'error', onClose]]),
    ...(socket === null ? [] : [[socket, 'error', report], [socket, 'close', report]])
  ])
  exchange.beginStep(() => end(exchange.mustClose)) // while the rest comes, a deadline still counts
  req.resume?.()

  function onData (chunk) {
    drained += chunk.length
    exchange.countDrained(chunk.length)
    if (drained > drainLimit && !hasArrived(req, exchange.received + drained)) end(true)
  }

  /** A paused request never ends. Resumes in another turn: the code may pause it each time. */
  function onPause () {
    setImmediate(() => { if (!isDone) req.resume?.() })
  }

  /** The request may close before its connection does. */
  function onClose () {
    const isClosing = socket?.destroyed === true && socket.closed === false
    if (!isClosing) setImmediate(report)
  }

  function end (mustClose) {
    if (isDone) return
    isDone = true
    stopListening()
    exchange.endStep()
    exchange.runInAsyncScope(exchange.fail, exchange, error, mustClose)
  }
}

/**
 * Reads off bytes behind the end of a coded body, and closes the connection beyond `drainLimit`. The app goes on.
 *
 * @returns {() => void} counts them no longer
 */
function drainRest (exchange) {
  const { parser: { drainLimit }, received, req } = exchange
  req.resume?.()
  if (hasArrived(req, received)) return () => {}
  let rest = 0 // bytes
  const stopListening = listen([[req, 'data', onData], [req, 'end', stop], [req, 'close', stop]])
  return stop

  function onData (chunk) {
    rest += chunk.length
    if (rest <= drainLimit || hasArrived(req, received + rest)) return
    stop()
    closeConnection(exchange)
  }

  function stop () {
    stopListening()
  }
}

/** Over HTTP/2, `req.socket` is that of the whole session. */
function socketOf ({ httpVersionMajor, socket }) {
  return httpVersionMajor !== 2 && typeof socket.on === 'function' ? socket : null
}

/**
 * Node's own HTTP/1 request emits `error` only to listeners, so that one of
 * ours would be visible; any other would crash the process without one.
 */
const isIncomingMessage = (req) => req instanceof require('node:http').IncomingMessage

/**
 * Reads nothing more, and closes the connection once the response is sent;
 * over HTTP/2, closes the stream of this request alone.
 */
function closeConnection ({ req, res }) {
  const { socket, stream } = req
  if (typeof req.complete !== 'boolean' || !socket) return // not a request of a connection
  req.pause?.()
  tellWaiters(req)
  if (req.httpVersionMajor === 2) {
    if (typeof stream?.close !== 'function') return // a stand-in
    Object.defineProperties(req, { // finalhandler would read it to its end before it responds
      complete: { __proto__: null, value: true, writable: true },
      readable: { __proto__: null, value: false, writable: true }
    })
    closeAnswered(req)
  } else if (socket.destroySoon !== undefined) { // else a wrapper's stand-in for a connection
    const close = () => closeInStages(socket)
    markClosing(socket)
    socket.pause()
    Object.defineProperties(socket, { // own properties in front of inherited ones
      // Keeps the server, and code that awaits the end of the request, from resuming.
      readable: { __proto__: null, value: false, writable: true },
      destroySoon: { __proto__: null, value: close, writable: true } // called by the server when the response is sent
    })
    ignoreErrors(() => {
      if (res.once !== undefined) res.shouldKeepAlive = false // makes the server send `Connection: close`
    })
    ignoreErrors(() => onceFinished(res, close)) // if the header was sent before
  }
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

module.exports = { closeConnection, drain, drainRest }
