'use strict'

// Undoes content codings (RFC 9110, section 8.4). The one-shot lane decodes a
// small gzip or zstd body of declared length in one call; the stream lane everything else.

const zlib = require('node:zlib')
const getRawBody = require('raw-body')
const { checkReadable } = require('../body/match')
const { toBuffer } = require('../source/chunk-list')
const { nextTick } = require('../platform')
const errors = require('../errors')
const { declaredLength } = require('../body/exchange')
const { sendContinue } = require('../request/continue')
const { drainRest } = require('../request/drain')
const { isClosedInOrder } = require('../request/facts')
const listen = require('../request/listen')
const { createDecoders, decodeAtOnce, hasOneShot, MAX_CODED } = require('./codings')
const { gzipSize } = require('./frame-headers')

/**
 * @typedef {object} Coding
 * @property {() => import('node:stream').Duplex} createDecoder
 * @property {import('../../read').Reader} stream
 * @property {import('../../read').Reader | null} oneShot for a body of declared length
 */

/** @type {Map<string, Coding>} */
const codings = new Map(Array.from(createDecoders(zlib), ([name, createDecoder]) =>
  [name, createCoding(createDecoder, hasOneShot(name) ? collectAndDecode(name) : null)]))

/** @returns {Coding} */
function createCoding (createDecoder, oneShot) {
  return {
    createDecoder,
    oneShot,
    stream (exchange, done, bytes = null) { // of the whole coded body, if it was received before
      exchange.setLane('stream')
      let decoder
      try {
        decoder = bytes === null ? openDecoder(exchange, createDecoder) : createDecoder()
      } catch (error) { // zlib has no memory, or an adapter has no `pipe`
        return nextTick(done, exchange, errors.thrown(error))
      }
      readDecoded(exchange, bytes, decoder, done)
    }
  }
}

/** @returns {Coding | undefined} undefined if the name, in lower case, is unknown */
const findCoding = (name) => codings.get(name)

/**
 * Finds codings for a parser that receives a coded body whole, within the limit, before it is decoded.
 *
 * @param {(exchange: object, bytes: Buffer) => boolean} take what was received; false if the exchange has failed
 * @param {Partial<Coding>} [changes] of each coding
 * @returns {import('../../compose').Draft['findCoding']}
 */
const collectFirst = (take, changes) => (name) => {
  const coding = findCoding(name)
  return coding && { ...coding, ...changes, stream }

  function stream (exchange, done) {
    exchange.parser.collectCoded(exchange, (_, error, bytes) => {
      if (error) done(exchange, error)
      else if (take(exchange, bytes)) coding.stream(exchange, done, bytes)
    })
  }
}

/** @param {number | null} length declared bytes, coded; null if the framing does not guarantee it */
function chooseLane ({ oneShot, stream }, length) {
  return oneShot !== null && length > 0 && length <= MAX_CODED ? oneShot : stream
}

/**
 * @param {string} name of the coding
 * @returns {import('../../read').Reader}
 */
function collectAndDecode (name) {
  return (exchange, done) => {
    exchange.setLane('one-shot')
    exchange.parser.collectCoded(exchange, (_, error, bytes) => {
      if (error) return done(exchange, error)
      let decoded = null
      try {
        decoded = decodeAtOnce(zlib, name, bytes)
      } catch (fault) {
        if (name === 'gzip' && isFinal(fault, exchange, bytes)) return done(exchange, errors.unreadable(fault))
      }
      if (decoded === null) codings.get(name).stream(exchange, done, bytes)
      else giveDecoded(exchange, decoded, done)
    }, declaredLength(exchange.req.headers))
  }
}

/**
 * Whether the stream lane would report the same error of gzip. For a body that is cut off, it decodes the bytes before
 * the cut, and if they are over the limit, it reports that. For any error of zstd it does the same.
 */
function isFinal ({ code }, { limit }, bytes) {
  return code === 'Z_DATA_ERROR' || (code === 'Z_BUF_ERROR' && limit >= gzipSize(bytes))
}

function giveDecoded (exchange, decoded, done) {
  const { length } = decoded
  done(exchange, refuseDecoded(length, exchange.limit) ?? exchange.reserve(length), decoded, length)
}

/** @returns {Error | null} why so many decoded bytes are too much; an empty body always fits */
const refuseDecoded = (bytes, limit) =>
  bytes > Math.max(limit, 0) ? errors.receivedTooLarge(bytes, limit) : null

/** @returns {import('node:stream').Duplex} a decoder of the request, which is decoded while it is received */
function openDecoder (exchange, createDecoder) {
  checkReadable(exchange)
  const decoder = createDecoder()
  pipe(exchange.req, decoder)
  sendContinue(exchange)
  return decoder
}

/**
 * Pipes a request into the decoder of its content coding, until the decoder is destroyed. Replaces the decoder's
 * `write`, which throws for chunks that are not bytes, and for bytes whose memory was transferred: thrown within an
 * event of the request, such an error would end the process.
 */
function pipe (req, decoder) {
  const { write } = decoder
  decoder.write = writeBytes
  req.pipe(decoder)
  decoder.on('unpipe', pipeAgain)

  function writeBytes (piece) {
    const chunk = toBuffer(piece)
    if (chunk !== null) return write.call(decoder, chunk)
    decoder.destroy(errors.notBytes(piece))
    return true
  }

  /** Another parser of the same request may fail: `drain` then removes all pipes. So may the app. */
  function pipeAgain () {
    if (!decoder.writableEnded && !decoder.destroyed) req.pipe(decoder)
  }
}

/** @param {Buffer | null} bytes what was received; null if the decoder gets the request */
function readDecoded (exchange, bytes, decoder, done) {
  const { req, limit } = exchange
  const onData = (piece) => exchange.count(toBuffer(piece)?.length ?? 0)
  let decoded = 0 // bytes
  let isEnded = false
  const stopListening = listen(bytes === null
    ? [[req, 'aborted', onAborted], [req, 'close', onAborted], [req, 'data', onData], [req, 'error', onAborted]]
    : [])
  decoder.on('data', onDecoded)
  exchange.beginStep(end)
  getRawBody(decoder, end)
  if (bytes !== null) decoder.end(bytes) // may fail within this call, so the listeners come first (Deno 2.9)

  function onDecoded (chunk) {
    decoded += chunk.length
    const error = exchange.reserve(chunk.length) ?? refuseDecoded(decoded, limit)
    if (error !== null) end(error)
  }

  // A request that ends early does not end its decoder. readable-stream 2 lacks `readableEnded`. Over HTTP/2, a request
  // may be closed in order before it emits `end`: the decoder then tells whether the body is whole.
  function onAborted () {
    const isInOrder = isClosedInOrder(req) && !req.destroyed
    if (!req.readableEnded && !decoder.writableEnded && !isInOrder) end(exchange.aborted())
  }

  function end (error, content) {
    if (isEnded) return // the request and the decoder may both fail
    isEnded = true
    exchange.endStep()
    stopListening()
    decoder.removeListener('data', onDecoded)
    decoder.destroy() // the rest of its output is not read
    if (bytes === null) req.unpipe(decoder)
    if (error) return done(exchange, errors.unreadable(error))
    if (bytes === null) drainRest(exchange)
    done(exchange, null, content, content.length)
  }
}

/**
 * Chooses the reader of a coded body.
 *
 * @param {import('../../compose').Draft['createStreamReader']} createStreamReader of a parser that
 *   does not wait for the whole body; null for one that uses the lanes
 * @param {Function | null} find instead of `findCoding`
 * @param {(text: string) => string} [truncateInput] see ../errors.js
 * @returns {(headers: object) => import('../../read').Reader} throws a 415 for a
 *   content coding that the parser does not undo
 */
function createChooser (createStreamReader, find, truncateInput) {
  return function chooseReader (headers) {
    const name = headers['content-encoding'].toLowerCase() // throws a TypeError if an adapter's field is not a string
    const coding = (find ?? findCoding)(name)
    if (coding === undefined) throw errors.unsupportedCoding(name, [...codings.keys()], truncateInput)
    if (createStreamReader !== null) return createStreamReader(coding.createDecoder)
    const isFramed = headers['transfer-encoding'] === undefined
    return chooseLane(coding, isFramed ? declaredLength(headers) : null)
  }
}

module.exports = { collectFirst, createChooser, findCoding }
