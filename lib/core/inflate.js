'use strict'

// Undoes content codings (RFC 9110, section 8.4). The one-shot lane decodes a
// small body of declared length in one call; the stream lane everything else.

const zlib = require('node:zlib')
const decodedLength = require('./brotli-header')
const collect = require('./collect')
const { reportsFaults } = require('./compat')
const drain = require('./drain')
const errors = require('./errors')
const Exchange = require('./exchange')
const { lazy } = require('./lazy')

const loadRawBody = lazy(() => require('raw-body'))

// A call into zlib holds the event loop, so the one-shot lane bounds what goes
// in and what comes out, whatever `limit` is (bench/studies/inflate.js).
const ONE_SHOT_CODED = 16 * 1024 // bytes
const ONE_SHOT_DECODED = 256 * 1024 // bytes
const ZLIB_CHUNK = 16 * 1024 // bytes that a zlib stream emits at a time

/**
 * @typedef {object} Coding
 * @property {() => import('node:stream').Duplex} createDecoder
 * @property {(limit: number) => Array<import('node:stream').Duplex>} createDecoders
 *   first and last of a chain, or one
 * @property {(bytes: Buffer, options: object) => Buffer} decode in one call
 * @property {(bytes: Buffer) => boolean} isBounded whether `maxOutputLength`
 *   bounds the time of that call
 * @property {import('../read').Source} stream
 * @property {import('../read').Source} [oneShot]
 */

/** @type {Map<string, Coding>} */
const codings = new Map()
addCoding('gzip', zlib.createGunzip, zlib.gunzipSync)
addCoding('deflate', zlib.createInflate, zlib.inflateSync)
addCoding('br', zlib.createBrotliDecompress, zlib.brotliDecompressSync, isBoundedBrotli)
if (zlib.createZstdDecompress) addCoding('zstd', zlib.createZstdDecompress, zlib.zstdDecompressSync) // Node 22.15, 23.8

function addCoding (name, createDecoder, decode, isBounded = () => true) {
  const coding = { createDecoder, decode, isBounded }
  coding.createDecoders = () => [createDecoder()]
  coding.stream = createStreamLane(coding.createDecoders)
  coding.oneShot = createOneShotLane(coding)
  codings.set(name, coding)
}

/** @returns {Coding | undefined} undefined if the name, in lower case, is unknown */
const findCoding = (name) => codings.get(name)

const codingNames = () => [...codings.keys()]

/**
 * @param {Coding} coding
 * @param {number | null} length declared bytes, coded; null if the framing does
 *   not guarantee it
 * @returns {import('../read').Source}
 */
function chooseLane ({ oneShot, stream }, length) {
  return oneShot !== undefined && length > 0 && length <= ONE_SHOT_CODED ? oneShot : stream
}

function createOneShotLane (coding) {
  return function readOneShot (exchange, deliver) {
    exchange.lane = 'one-shot'
    collect(exchange, (exchange, bytes) => decodeOnce(exchange, bytes, coding, deliver))
  }
}

function decodeOnce (exchange, bytes, coding, deliver) {
  const { limit } = exchange
  const begin = performance.now()
  if (!coding.isBounded(bytes) || !hasBudget(begin)) {
    decodeStream(exchange, bytes, [coding.createDecoder()], deliver)
    return
  }
  // A stream notices the limit at the end of a chunk of its output, and reports
  // that as `received`. To report the same, decode up to the end of that chunk.
  const bound = (Math.floor(Math.max(limit, 0) / ZLIB_CHUNK) + 1) * ZLIB_CHUNK // an empty body always fits
  let decoded
  let error = null
  try {
    decoded = coding.decode(bytes, { maxOutputLength: Math.min(bound - 1, ONE_SHOT_DECODED) })
  } catch (fault) {
    error = fault
  }
  const isTooLarge = error?.code === 'ERR_BUFFER_TOO_LARGE' && bound <= ONE_SHOT_DECODED
  const isCorrupt = error?.code === 'Z_DATA_ERROR' // a stream has emitted nothing over the limit before
  charge(performance.now() - begin, error !== null && !isTooLarge && !isCorrupt)
  if (isTooLarge) drain(exchange, errors.receivedTooLarge(bound, limit))
  else if (isCorrupt) drain(exchange, errors.unreadable(error))
  else if (error !== null) decodeStream(exchange, bytes, [coding.createDecoder()], deliver) // fails with what comes first, the limit or the fault
  else if (decoded.length > Math.max(limit, 0)) drain(exchange, errors.receivedTooLarge(decoded.length, limit))
  else if ((error = exchange.hold(decoded.length)) !== null) drain(exchange, error)
  else deliver(exchange, Exchange.trim(decoded), decoded.length)
}

// Crafted bodies take many times as long to decode as ordinary ones of their
// size (bench/studies/inflate.js). All calls together may exceed the time of
// ordinary ones by this much; beyond that, bodies are decoded in a thread.
const ORDINARY = 0.2 // ms
const EXCESS_SHARE = 0.01 // of all time
const MAX_EXCESS = 10 // ms
const EARNED = 2 // times as long as an ordinary call took

/** Intentionally module-level: the event loop is one for all. Bounded: two numbers, ms. */
let excess = 0
let lastDecode = 0

function hasBudget (now) {
  const passed = Math.max(0, now - lastDecode) // a faked clock may go back
  excess = Math.max(0, excess - passed * EXCESS_SHARE)
  lastDecode = now
  return excess < MAX_EXCESS
}

/**
 * A busy machine may take the core away during a call, from 1 of 1,000 calls or
 * so. So ordinary calls earn back what such noise costs in their time, and no
 * call costs more than half of the budget.
 */
function charge (ms, isRepeated) {
  if (isRepeated) excess += Math.min(ms + ORDINARY, MAX_EXCESS / 2) // by a stream
  else if (ms < ORDINARY) excess -= ms * EARNED
  else excess += Math.min(ms - ORDINARY, MAX_EXCESS / 2)
}

/** Intentionally module-level: whether the brotli decoder reports faults; asked with the first such body. */
let brotliReportsFaults

function isBoundedBrotli (bytes) {
  brotliReportsFaults ??= reportsFaults(zlib.brotliDecompressSync)
  return brotliReportsFaults && decodedLength(bytes) <= ONE_SHOT_DECODED
}

/** @param {(limit: number) => Array<import('node:stream').Duplex>} createDecoders first and last of a chain, or one */
function createStreamLane (createDecoders) {
  return function readStream (exchange, deliver, bytes = null) { // which may have been received before
    exchange.lane = 'stream'
    const error = bytes === null ? collect.findObstacle(exchange) : null
    if (error === null) decodeStream(exchange, bytes ?? exchange.req, createDecoders(exchange.limit), deliver)
    else collect.refuse(exchange, error)
  }
}

/** @param {import('node:stream').Readable | Buffer} source the request, or what was read of it */
function decodeStream (exchange, source, decoders, deliver) {
  const { req, limit } = exchange
  const first = decoders[0]
  const isLive = source === req
  let isSettled = false

  exchange.lane = 'stream'
  if (isLive) {
    req.on('aborted', onAborted)
    req.on('close', onAborted)
    req.on('data', onData)
    req.on('error', onAborted)
    req.pipe(first)
  }
  if (exchange.observer !== null) {
    decoders.at(-1).on('data', (chunk) => {
      const error = isSettled ? null : exchange.hold(chunk.length)
      if (error !== null) settle(error)
    })
  }
  exchange.onAbort = settle
  gather(decoders.at(-1), limit, settle)
  if (!isLive) first.end(source) // may fail within this call, so the listeners come first (Deno 2.9)

  function onData (chunk) {
    exchange.received += chunk.length
  }

  /** The request ends early, so nothing would end the decoder. readable-stream 2 lacks `readableEnded`. */
  function onAborted () {
    if (!req.readableEnded && !first.writableEnded) settle(errors.aborted(null, exchange.received))
  }

  function settle (error, bytes) {
    if (isSettled) return // the request and the decoder may both fail
    isSettled = true
    exchange.onAbort = null
    if (isLive) {
      req.removeListener('aborted', onAborted)
      req.removeListener('close', onAborted)
      req.removeListener('data', onData)
      req.removeListener('error', onAborted)
      req.unpipe(first)
    }
    for (const decoder of decoders) decoder.destroy() // nobody reads what is left in them
    if (error) {
      drain(exchange, errors.unreadable(error))
      return
    }
    if (isLive) req.resume() // bytes after the end of the coded body
    exchange.runInAsyncScope(deliver, undefined, exchange, bytes, bytes.length)
  }
}

function gather (decoder, limit, done) {
  let getRawBody
  try {
    getRawBody = loadRawBody()
  } catch (error) {
    done(error)
    return
  }
  getRawBody(decoder, { limit }, done)
}

module.exports = { chooseLane, codingNames, createStreamLane, findCoding, load: loadRawBody }
