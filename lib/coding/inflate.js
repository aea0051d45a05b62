'use strict'

// Undoes content codings (RFC 9110, section 8.4). The one-shot lane decodes a
// small body of declared length in one call; the stream lane everything else.

const zlib = require('node:zlib')
const getRawBody = require('raw-body')
const collect = require('../core/collect')
const { nextTick } = require('../core/compat')
const errors = require('../core/errors')
const Exchange = require('../core/exchange')
const listen = require('../core/listen')
const { findZstd } = require('./zstd-frames')

// A call into zlib holds the event loop, so the one-shot lane bounds what goes
// in and what comes out, whatever `limit` is: crafted bodies take many times as
// long as ordinary ones (`npm run attacks -- --filter=coded-tables`).
const ONE_SHOT_CODED = 4 * 1024 // bytes
const ONE_SHOT_DECODED = 256 * 1024 // bytes
const ZLIB_CHUNK = 16 * 1024 // bytes that a zlib stream emits at a time

/**
 * @typedef {object} Coding
 * @property {() => import('node:stream').Duplex} createDecoder
 * @property {import('../read').Source} stream
 * @property {import('../read').Source} [oneShot]
 */

/** @type {Map<string, Coding | null>} */
const codings = new Map()
codings.set('gzip', createCoding(zlib.createGunzip, zlib.gunzipSync))
codings.set('deflate', createCoding(zlib.createInflate, zlib.inflateSync))
codings.set('br', createCoding(zlib.createBrotliDecompress)) // `maxOutputLength` does not bound the time of its call
if (zlib.createZstdDecompress) codings.set('zstd', null) // Node 22.15, 23.8; added when it is looked for

/**
 * @param {() => import('node:stream').Duplex} createDecoder
 * @param {(bytes: Buffer, options: object) => Buffer} [decode] in one call
 * @param {(bytes: Buffer) => boolean} [isDecodable] by that call
 * @returns {Coding}
 */
function createCoding (createDecoder, decode, isDecodable = () => true) {
  return {
    createDecoder,
    stream (exchange, done, bytes = null) { // which may have been received before
      exchange.lane = 'stream'
      const obstacle = bytes === null ? collect.precheck(exchange) : null
      if (obstacle === null) decodeStream(exchange, bytes, createDecoder, done)
      else nextTick(done, obstacle)
    },
    oneShot: decode && function (exchange, done) {
      exchange.lane = 'one-shot'
      collect(exchange, (error, bytes) => {
        if (error) done(error)
        else if (isDecodable(bytes) && hasTime(performance.now())) decodeOnce(exchange, bytes, { createDecoder, decode }, done)
        else decodeStream(exchange, bytes, createDecoder, done)
      })
    }
  }
}

/** @returns {Coding | undefined} undefined if the name, in lower case, is unknown */
function findCoding (name) {
  if (codings.get(name) === null) {
    const { createDecoder, isDecodable } = findZstd(zlib)
    codings.set(name, createCoding(createDecoder, zlib.zstdDecompressSync, isDecodable))
  }
  return codings.get(name)
}

const codingNames = () => [...codings.keys()]

/** @param {number | null} length declared bytes, coded; null if the framing does not guarantee it */
function chooseLane ({ oneShot, stream }, length) {
  return oneShot !== undefined && length > 0 && length <= ONE_SHOT_CODED ? oneShot : stream
}

function decodeOnce (exchange, bytes, { createDecoder, decode }, done) {
  const limit = Math.max(exchange.limit, 0) // an empty body always fits
  // A stream notices the limit at the end of a chunk of its output, and reports
  // that as `received`. To report the same, decode up to the end of that chunk.
  const bound = (Math.floor(limit / ZLIB_CHUNK) + 1) * ZLIB_CHUNK
  const begin = performance.now()
  let decoded
  try {
    decoded = decode(bytes, { maxOutputLength: Math.min(bound - 1, ONE_SHOT_DECODED) })
    charge(performance.now() - begin)
  } catch (error) {
    charge(performance.now() - begin)
    if (error.code === 'ERR_BUFFER_TOO_LARGE' && bound <= ONE_SHOT_DECODED) done(errors.receivedTooLarge(bound, exchange.limit))
    else if (error.code === 'Z_DATA_ERROR') done(errors.unreadable(error)) // a stream has emitted nothing over the limit before
    else decodeStream(exchange, bytes, createDecoder, done) // fails with what comes first, the limit or the fault
    return
  }
  if (decoded.length > limit) done(errors.receivedTooLarge(decoded.length, exchange.limit))
  else done(exchange.hold(decoded.length), Exchange.trim(decoded), decoded.length)
}

// Crafted bodies of 4 KiB take half a millisecond. All calls together may exceed
// the time of ordinary ones by this much; beyond it, bodies take the stream lane.
const ORDINARY = 0.2 // ms
const EXCESS_SHARE = 0.01 // of all time
const MAX_EXCESS = 10 // ms

/** Intentionally module-level: the event loop is one for all. Bounded: two numbers, ms. */
let excess = 0
let lastDecode = 0

function hasTime (now) {
  const passed = Math.max(0, now - lastDecode) // a faked clock may go back
  excess = Math.max(0, excess - passed * EXCESS_SHARE)
  lastDecode = now
  return excess < MAX_EXCESS
}

/** A fast call refunds twice its duration, as preemption inflates about 1 in 1,000 calls. No call costs more than half of the budget. */
function charge (ms) {
  excess += ms < ORDINARY ? -2 * ms : Math.min(ms - ORDINARY, MAX_EXCESS / 2)
}

/** @param {Buffer | null} bytes what was received; null to decode the request while it is */
function decodeStream (exchange, bytes, createDecoder, done) {
  const { req, limit } = exchange
  let decoder
  let isSettled = false
  try {
    decoder = createDecoder()
    if (bytes === null) req.pipe(decoder)
  } catch (error) { // zlib has no memory, or an adapter has no `pipe`
    nextTick(done, errors.thrown(error))
    return
  }

  exchange.lane = 'stream'
  const stopListening = listen(bytes === null
    ? [[req, 'aborted', onAborted], [req, 'close', onAborted], [req, 'data', onData], [req, 'error', onAborted]]
    : [])
  if (exchange.guard !== null) decoder.on('data', onDecoded)
  exchange.onAbort = settle
  getRawBody(decoder, { limit }, settle)
  if (bytes !== null) decoder.end(bytes) // may fail within this call, so the listeners come first (Deno 2.9)

  function onData (chunk) {
    exchange.received += chunk.length
  }

  function onDecoded (chunk) {
    const error = exchange.hold(chunk.length)
    if (error !== null) settle(error)
  }

  /** The request ends early, so nothing would end the decoder. readable-stream 2 lacks `readableEnded`. */
  function onAborted () {
    if (!req.readableEnded && !decoder.writableEnded) settle(errors.aborted(null, exchange.received))
  }

  function settle (error, content) {
    if (isSettled) return // the request and the decoder may both fail
    isSettled = true
    exchange.onAbort = null
    stopListening()
    if (bytes === null) req.unpipe(decoder)
    decoder.removeListener('data', onDecoded)
    decoder.destroy() // the rest of its output is not read
    if (error) {
      done(errors.unreadable(error))
      return
    }
    if (bytes === null) req.resume() // bytes after the end of the coded body
    done(null, content, content.length)
  }
}

module.exports = { chooseLane, codingNames, findCoding }
