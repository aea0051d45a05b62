'use strict'

// Undoes content codings (RFC 9110, section 8.4). The one-shot lane decodes a
// small body of declared length in one call; the stream lane everything else.

const zlib = require('node:zlib')
const decodedLength = require('./brotli-header')
const collect = require('./collect')
const { reportsFaults } = require('./compat')
const drain = require('./drain')
const errors = require('./errors')
const { lazy } = require('./lazy')

const loadRawBody = lazy(() => require('raw-body'))

// A call into zlib holds the event loop, so the one-shot lane bounds what goes
// in and what comes out, whatever `limit` is (bench/inflate.js).
const ONE_SHOT_CODED = 16 * 1024 // bytes
const ONE_SHOT_DECODED = 256 * 1024 // bytes
const ZLIB_CHUNK = 16 * 1024 // bytes that a zlib stream emits at a time

/**
 * @typedef {object} Coding
 * @property {() => import('node:stream').Duplex} createStream
 * @property {(bytes: Buffer, options: object) => Buffer} decode in one call
 * @property {(bytes: Buffer) => boolean} isBounded whether `maxOutputLength`
 *   bounds the time of that call
 * @property {import('../read').Source} oneShot
 * @property {import('../read').Source} stream
 */

/** Intentionally module-level: whether the brotli decoder reports faults; asked with the first such body. */
let brotliReportsFaults

function isBoundedBrotli (bytes) {
  brotliReportsFaults ??= reportsFaults(zlib.brotliDecompressSync)
  return brotliReportsFaults && decodedLength(bytes) <= ONE_SHOT_DECODED
}

/** @type {Map<string, Coding>} */
const CODINGS = new Map()
addCoding('gzip', zlib.createGunzip, zlib.gunzipSync)
addCoding('deflate', zlib.createInflate, zlib.inflateSync)
addCoding('br', zlib.createBrotliDecompress, zlib.brotliDecompressSync, isBoundedBrotli)
if (zlib.createZstdDecompress) addCoding('zstd', zlib.createZstdDecompress, zlib.zstdDecompressSync) // Node 22.15, 23.8

function addCoding (name, createStream, decode, isBounded = () => true) {
  const coding = { createStream, decode, isBounded }
  coding.oneShot = createOneShotLane(coding)
  coding.stream = createStreamLane([coding])
  CODINGS.set(name, coding)
}

const MAX_CODINGS = 4 // each takes memory of its own
const ALIASES = new Map([['x-gzip', 'gzip']]) // RFC 9110, section 8.4.1.3

/**
 * The codings of a Content-Encoding field, which lists them in the order in
 * which they were applied.
 *
 * @param {string} field in lower case
 * @param {boolean} allowsLists several codings, and aliases
 * @returns {Coding[] | null} in the order to undo them; null if one is unknown,
 *   or if there are too many
 */
function findCodings (field, allowsLists) {
  if (!allowsLists) return CODINGS.has(field) ? [CODINGS.get(field)] : null
  const names = field.split(',').map((name) => name.trim()).filter((name) => name !== '')
  if (names.length === 0 || names.length > MAX_CODINGS) return null
  const codings = names.map((name) => CODINGS.get(ALIASES.get(name) ?? name))
  return codings.includes(undefined) ? null : codings.reverse()
}

/**
 * @param {Coding[]} codings in the order to undo them
 * @param {number | null} length declared bytes, before they are undone; null if
 *   the framing does not guarantee it
 * @returns {import('../read').Source}
 */
function chooseLane (codings, length) {
  if (codings.length > 1) return createStreamLane(codings)
  const isSmall = length > 0 && length <= ONE_SHOT_CODED
  return isSmall ? codings[0].oneShot : codings[0].stream
}

function createOneShotLane (coding) {
  return function readOneShot (exchange, deliver) {
    exchange.enter('one-shot')
    collect(exchange, (exchange, bytes) => decodeOnce(exchange, bytes, coding, deliver))
  }
}

function decodeOnce (exchange, bytes, coding, deliver) {
  if (!coding.isBounded(bytes)) {
    decodeStream(exchange, bytes, [coding], deliver)
    return
  }
  // A stream notices the limit at the end of a chunk of its output, and reports
  // that as `received`. To report the same, decode up to the end of that chunk.
  const limit = Math.max(exchange.parser.limit, 0) // an empty body always fits
  const bound = (Math.floor(limit / ZLIB_CHUNK) + 1) * ZLIB_CHUNK
  let decoded
  try {
    decoded = coding.decode(bytes, { maxOutputLength: Math.min(bound, ONE_SHOT_DECODED) })
  } catch (error) {
    const isTooLarge = error.code === 'ERR_BUFFER_TOO_LARGE' && bound <= ONE_SHOT_DECODED
    if (isTooLarge) drain(exchange, errors.receivedTooLarge(bound, exchange.parser.limit))
    else decodeStream(exchange, bytes, [coding], deliver) // tells whether a faulty body breaks the limit before its fault
    return
  }
  if (decoded.length > limit) drain(exchange, errors.receivedTooLarge(decoded.length, exchange.parser.limit))
  else deliver(exchange, release(decoded), decoded.length)
}

/** A copy, if the bytes would keep much more memory than they need. */
function release (bytes) {
  return bytes.length * 2 < bytes.buffer.byteLength ? Buffer.from(bytes) : bytes
}

function createStreamLane (codings) {
  return function readStream (exchange, deliver) {
    const error = collect.findObstacle(exchange)
    if (error === null) decodeStream(exchange, exchange.req, codings, deliver)
    else collect.refuse(exchange, error)
  }
}

/** @param {import('node:stream').Readable | Buffer} source the request, or what was read of it */
function decodeStream (exchange, source, codings, deliver) {
  const { req, parser: { input, limit } } = exchange
  const decoders = codings.map((coding) => coding.createStream())
  const first = decoders[0]
  const last = decoders.at(-1)
  const isLive = source === req
  let isSettled = false

  exchange.enter('stream')
  for (let i = 1; i < decoders.length; i++) connect(decoders[i - 1], decoders[i])
  if (isLive) {
    req.on('aborted', onAborted)
    req.on('close', onAborted)
    req.on('data', onData)
    req.on('error', onAborted)
    req.pipe(first)
  }
  const gather = input === 'chunks' ? gatherChunks : gatherBytes
  gather(last, limit, settle)
  if (!isLive) first.end(source) // may fail within this call, so the listeners come first (Deno 2.9)

  /** No decoder may emit more than the limit. */
  function connect (decoder, following) {
    let decoded = 0
    decoder.on('data', (chunk) => {
      decoded += chunk.length
      if (decoded > limit) settle(errors.receivedTooLarge(decoded, limit))
    })
    decoder.on('error', settle)
    decoder.pipe(following)
  }

  function onData (chunk) {
    exchange.count(chunk.length)
  }

  /** The request ends early, so nothing would end the decoder. */
  function onAborted () {
    if (!req.readableEnded) settle(errors.aborted(null, exchange.received))
  }

  function settle (error, content, length) {
    if (isSettled) return // several decoders may fail
    isSettled = true
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
    exchange.runInAsyncScope(deliver, undefined, exchange, content, length)
  }
}

/** Collects what a decoder emits: one Buffer, under the limit. */
function gatherBytes (decoder, limit, done) {
  let getRawBody
  try {
    getRawBody = loadRawBody()
  } catch (error) {
    done(error)
    return
  }
  getRawBody(decoder, { limit }, (error, bytes) => done(error, bytes, bytes?.length))
}

/** The same without joining it, which would hold the event loop. */
function gatherChunks (decoder, limit, done) {
  const chunks = []
  let decoded = 0
  decoder.on('data', (chunk) => {
    decoded += chunk.length
    chunks.push(chunk)
    if (decoded > limit) done(errors.receivedTooLarge(decoded, limit))
  })
  decoder.on('error', done)
  decoder.on('end', () => done(null, chunks, decoded))
}

module.exports = { chooseLane, findCodings, load: loadRawBody }
