'use strict'

// Undoes the content coding of a body (RFC 9110, section 8.4): small bodies of
// declared length in one call, all others through a zlib stream.

const { AsyncResource } = require('node:async_hooks')
const zlib = require('node:zlib')
const abandon = require('./abandon')
const brotli = require('./brotli')
const { collect, deliver, obstacle } = require('./collect')
const errors = require('./errors')
const { later } = require('./later')

const loadRawBody = later(() => require('raw-body'))

// A call into zlib holds the event loop, so both what goes in and what comes
// out of the one-shot lane is bounded, whatever `limit` is (bench/inflate.js).
const ONCE_CODED = 16 * 1024 // bytes
const ONCE_DECODED = 256 * 1024 // bytes
const ZLIB_CHUNK = 16 * 1024 // bytes that a zlib stream puts out at a time

/**
 * @typedef {object} Coding
 * @property {Function} stream makes a decoder
 * @property {Function} once decodes in one call
 * @property {(bytes: Buffer) => boolean} isBrief whether `maxOutputLength`
 *   bounds the time of that call
 */

const always = () => true
let findsFaults // whether brotli does in one call; asked with the first such body

/** @type {Map<string, Coding[]>} lists of one, as most fields are */
const CODINGS = new Map([
  ['gzip', { stream: zlib.createGunzip, once: zlib.gunzipSync, isBrief: always }],
  ['deflate', { stream: zlib.createInflate, once: zlib.inflateSync, isBrief: always }],
  ['br', {
    stream: zlib.createBrotliDecompress,
    once: zlib.brotliDecompressSync,
    isBrief: (bytes) => (findsFaults ??= brotli.findsFaults(zlib.brotliDecompressSync)) && brotli.decodedLength(bytes) <= ONCE_DECODED
  }],
  ['zstd', { stream: zlib.createZstdDecompress, once: zlib.zstdDecompressSync, isBrief: always }] // since Node 22.15
].filter(([, coding]) => coding.stream !== undefined).map(([name, coding]) => [name, [coding]]))

/**
 * @param {string} name content coding in lower case
 * @returns {Coding[] | undefined} a list of one; undefined if it is not known
 */
function codingOf (name) {
  return CODINGS.get(name)
}

const MOST_CODINGS = 4 // each takes memory of its own
const ALIASES = new Map([['x-gzip', 'gzip']]) // RFC 9110, section 8.4.1.3

/**
 * The codings of a list (RFC 9110, section 8.4), which names them in the order
 * in which they were applied.
 *
 * @param {string} field value of Content-Encoding in lower case
 * @returns {Coding[] | undefined} in the order to undo them; undefined if one
 *   is not known, or if there are too many
 */
function codingsOf (field) {
  const names = field.split(',').map((name) => name.trim()).filter((name) => name !== '')
  if (names.length === 0 || names.length > MOST_CODINGS) return undefined
  const found = names.flatMap((name) => codingOf(ALIASES.get(name) ?? name) ?? [])
  return found.length === names.length ? found.reverse() : undefined
}

/**
 * Reads a coded body and hands the decoded bytes to `deliver`; errors go the
 * way of `collect`.
 *
 * @param {import('./exchange')} exchange made for the coded bytes, without
 *   limit and length: both are about decoded bytes
 * @param {Coding[]} codings in the order to undo them
 * @param {number} limit most bytes that any of them may decode to
 * @param {number | null} length declared length of the coded bytes; null if
 *   the framing does not guarantee it
 * @param {(stream: import('node:stream').Readable, limit: number, done: Function) => void} [gather]
 *   collects what a stream puts out
 */
function collectCoded (exchange, codings, limit, length, gather = gatherWhole) {
  if (codings.length === 1 && length > 0 && length <= ONCE_CODED) {
    exchange.lane = 'one-shot'
    const { deliver: finish } = exchange
    exchange.deliver = (exchange, bytes) => {
      exchange.deliver = finish
      inflateOnce(exchange, bytes, codings, limit, gather)
    }
    collect(exchange)
    return
  }
  const error = obstacle(exchange)
  if (error !== null) abandon(exchange, error)
  else inflateStream(exchange, exchange.req, codings, limit, gather)
}

function gatherWhole (stream, limit, done) {
  let gather
  try {
    gather = loadRawBody()
  } catch (error) {
    done(error)
    return
  }
  gather(stream, { limit }, done)
}

function inflateOnce (exchange, bytes, codings, limit, gather) {
  const [coding] = codings
  if (!coding.isBrief(bytes)) {
    inflateStream(exchange, bytes, codings, limit, gather)
    return
  }
  // A stream notices the limit at the end of an output chunk, and says so in
  // `received`: to say the same, decode up to the end of that chunk.
  const most = Math.max(limit, 0) // nothing is never too much
  const bound = (Math.floor(most / ZLIB_CHUNK) + 1) * ZLIB_CHUNK
  let plain
  try {
    plain = coding.once(bytes, { maxOutputLength: Math.min(bound, ONCE_DECODED) })
  } catch (error) {
    // Whether a faulty body broke the limit before its fault, a stream tells.
    if (error.code !== 'ERR_BUFFER_TOO_LARGE' || bound > ONCE_DECODED) inflateStream(exchange, bytes, codings, limit, gather)
    else abandon(exchange, errors.receivedTooLarge(bound, limit))
    return
  }
  if (plain.length > most) abandon(exchange, errors.receivedTooLarge(plain.length, limit))
  else exchange.deliver(exchange, trim(plain))
}

/** A copy, if the bytes would keep much more memory than they need. */
function trim (bytes) {
  return bytes.length * 2 < bytes.buffer.byteLength ? Buffer.from(bytes) : bytes
}

/** @param {import('node:stream').Readable | Buffer} source */
function inflateStream (exchange, source, codings, limit, gather) {
  const { req } = exchange
  exchange.context ??= new AsyncResource('BodyParser')
  exchange.lane = 'stream'
  const decoders = codings.map((coding) => coding.stream())
  const first = decoders[0]
  const last = decoders.at(-1)
  const live = source === req
  let settled = false

  for (let i = 1; i < decoders.length; i++) chain(decoders[i - 1], decoders[i])
  if (live) {
    req.on('data', count)
    req.on('error', onCut)
    req.on('close', onCut)
    req.pipe(first)
  }
  gather(last, limit, settle)
  if (!live) first.end(source) // Deno's may fail within this call, when somebody has to listen

  /** No stage may decode to more than the limit. */
  function chain (decoder, following) {
    let decoded = 0
    decoder.on('data', (chunk) => {
      decoded += chunk.length
      if (decoded > limit) settle(errors.receivedTooLarge(decoded, limit))
    })
    decoder.on('error', settle)
    decoder.pipe(following)
  }

  /** What came in, however much of it the decoder took. */
  function count (chunk) {
    exchange.received += chunk.length
  }

  /** Gone before its end: nobody would ever end the decoder. */
  function onCut () {
    if (!req.readableEnded) settle(errors.aborted(null, exchange.received))
  }

  function settle (error, bytes) {
    if (settled) return // several stages may fail
    settled = true
    if (live) {
      req.removeListener('data', count)
      req.removeListener('error', onCut)
      req.removeListener('close', onCut)
      req.unpipe(first)
    }
    for (const decoder of decoders) decoder.destroy() // whatever is still in them, nobody listens any more
    if (error) {
      abandon(exchange, errors.unreadable(error))
    } else {
      if (live) req.resume() // bytes after the end of the coded body
      deliver(exchange, bytes)
    }
  }
}

module.exports = { codingOf, codingsOf, collectCoded, load: loadRawBody }
