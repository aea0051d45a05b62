'use strict'

// Collects the bytes of a request, under its limit and its declared length.

const { AsyncResource } = require('node:async_hooks')
const abandon = require('./abandon')
const errors = require('./errors')
const { nextTick, setImmediate } = require('./loop')

let IncomingMessage
let waiting = null // the request whose reading begins with the next tick

/**
 * Reads the request and hands its bytes to `exchange.deliver`; or reads off
 * and throws away the rest, and hands the error to `exchange.next`. Either
 * happens later, never within this call, and in the caller's async context.
 *
 * @param {import('./exchange')} exchange
 */
function collect (exchange) {
  const { req } = exchange
  IncomingMessage ??= require('node:http').IncomingMessage // loaded by the server, if there is one
  // Requests of Node's own server can wait for one tick: by then, whatever
  // came in the same packet as the header is here, and can be taken without
  // listening for it. If somebody already reads this request, they do not
  // wait for us, so then there is no time to lose.
  if (req.readableFlowing === null && req !== waiting && req instanceof IncomingMessage) {
    waiting = req
    nextTick(begin, exchange)
  } else {
    listen(exchange)
  }
}

function begin (exchange) {
  const { req, limit, length, decode } = exchange
  waiting = null
  const buffered = req.readableLength
  const plausible = buffered > 0 && buffered <= limit && (length === buffered || length === null)
  if (plausible && decode !== null && req.readableFlowing === null) takeBuffered(exchange, buffered)
  else if (req.destroyed) abandon(exchange, errors.aborted(length, 0))
  else if (req.readableFlowing !== null && req.readableDidRead) abandon(exchange, errors.notReadable()) // somebody else has had bytes of it
  else listen(exchange)
}

/**
 * The usual case: all bytes are here, and only the end of the message is not.
 * The server sees that in this turn of the event loop, if it comes at all. To
 * wait for the turn to end, instead of listening, saves more than everything
 * else here costs: above all with Express, whose requests are slow to listen
 * to (bench: "json 274 B"; perf: express5-json).
 */
function takeBuffered (exchange, buffered) {
  const { req } = exchange
  const error = takeAll(exchange, req.read(), buffered)
  if (error !== null) abandon(exchange, error)
  else if (req.complete) nextTick(finish, exchange) // reading has queued the 'end' event
  else setImmediate(afterTurn, exchange)
}

function afterTurn (exchange) {
  const { req, length } = exchange
  const flowing = req.readableFlowing
  if (flowing === null && req.complete) {
    const rest = req.read() // the last read() queues the 'end' event
    const error = rest === null ? null : takeAll(exchange, rest, exchange.received + rest.length + req.readableLength)
    if (error !== null) abandon(exchange, error)
    else nextTick(finish, exchange)
  } else if (flowing !== null && length === null) {
    abandon(exchange, errors.notReadable()) // somebody else reads, or has read, and may have what we lack
  } else {
    finish(exchange)
  }
}

/** Up to Node 24, read() gives all that is buffered; then, a chunk at a time. */
function takeAll (exchange, piece, whole) {
  let error = take(exchange, piece)
  while (error === null && exchange.received < whole) error = take(exchange, exchange.req.read())
  return error
}

function finish (exchange) {
  const { req, length, received } = exchange
  if (!req.readableEnded) {
    if (req.destroyed) abandon(exchange, errors.aborted(length, received + req.readableLength))
    else listen(exchange) // there is more to come
  } else if (length !== null && length !== received) {
    abandon(exchange, errors.lengthMismatch(length, received))
  } else {
    deliver(exchange, takeBytes(exchange))
  }
}

/** Hands the bytes over, in the async context of who asked for them. */
function deliver (exchange, bytes) {
  const { context, deliver } = exchange
  if (context === null) deliver(exchange, bytes)
  else context.runInAsyncScope(deliver, undefined, exchange, bytes)
}

/** Why this request cannot be read, if so; in the order of body-parser. */
function obstacle ({ req, decode, charset, length, limit }) {
  if (length !== null && length > limit) return errors.declaredTooLarge(length, limit)
  if (req.readableEncoding) return errors.encodingSet()
  if (req.readable === false) return errors.notReadable()
  if (decode === null) return errors.unsupportedCharset(charset)
  return null
}

/** The body arrives over several ticks. */
function listen (exchange) {
  const { req } = exchange
  const error = obstacle(exchange)
  if (error !== null) {
    abandon(exchange, error)
    return
  }
  exchange.context ??= new AsyncResource('BodyParser')
  let listening = true
  req.on('data', onData)
  req.on('end', onEnd)
  req.on('error', onError)
  req.on('close', onClose)
  if (req.readableFlowing === false) req.resume() // it was paused on purpose

  function onData (chunk) {
    const error = take(exchange, chunk)
    if (error !== null) stop(error)
  }

  function onEnd () {
    const { length, received } = exchange
    stop(length !== null && length !== received ? errors.lengthMismatch(length, received) : null)
  }

  function onError (error) {
    stop(req.aborted ? errors.aborted(exchange.length, exchange.received) : errors.unreadable(error))
  }

  function onClose () {
    stop(errors.aborted(exchange.length, exchange.received))
  }

  function stop (error) {
    if (!listening) return // who emits goes on with the listeners that there were at the start
    listening = false
    if (error !== null) abandon(exchange, error) // first: an heir of a request, left without a listener, hears no more (Deno)
    req.removeListener('data', onData)
    req.removeListener('end', onEnd)
    req.removeListener('error', onError)
    req.removeListener('close', onClose)
    if (error === null) deliver(exchange, takeBytes(exchange))
  }
}

/** Adds a chunk; the first one is not copied, as mostly it is the only one. */
function take (exchange, piece) {
  if (typeof piece === 'string' && exchange.req.readableEncoding) return errors.encodingSet()
  const chunk = toBuffer(piece)
  exchange.received += chunk.length
  if (exchange.received > exchange.limit) {
    return errors.receivedTooLarge(exchange.received, exchange.limit)
  }
  if (exchange.chunk === null) exchange.chunk = chunk
  else if (exchange.chunks === null) exchange.chunks = [exchange.chunk, chunk]
  else exchange.chunks.push(chunk)
  if (chunk.length < CRUMB && ++exchange.crumbs % CRUMBS === 0) gatherCrumbs(exchange.chunks)
  return null
}

const CRUMB = 512 // bytes; as a Buffer, each takes about a kilobyte more
const CRUMBS = 1024 // chunks that are gathered at a time

/** Whoever sends a byte at a time shall not get a thousandfold of memory. */
function gatherCrumbs (chunks) {
  chunks.push(Buffer.concat(chunks.splice(-CRUMBS)))
}

/** Streams that are no requests of Node's may hold strings, or plain arrays. */
function toBuffer (piece) {
  if (Buffer.isBuffer(piece)) return piece
  if (typeof piece === 'string') return Buffer.from(piece)
  return Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
}

/** The bytes as one Buffer; the exchange lets go of its chunks. */
function takeBytes (exchange) {
  const { chunk, chunks, received, join } = exchange
  exchange.chunk = exchange.chunks = null
  if (chunks !== null) return join(chunks, received)
  return chunk === null ? Buffer.alloc(0) : chunk
}

module.exports = { collect, deliver, obstacle }
