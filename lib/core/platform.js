'use strict'

// What differs between environments, each with the version in which it was
// seen.

// Browsers have no node:timers, and no Buffer (../web).
const { Buffer = require('./bytes'), clearTimeout, performance, process } = globalThis
const { queueMicrotask, setImmediate, setTimeout } = globalThis
const isDeno = process?.versions?.deno !== undefined

/** Captured now, so that tests that fake timers later do not stop requests (@sinonjs/fake-timers 15). */
const enqueueTick = process?.nextTick ?? enqueueMicrotask
exports.Buffer = Buffer
exports.clearTimeout = clearTimeout
exports.MAX_DELAY = 2 ** 31 - 1 // ms that a timer can take
exports.performance = performance // captured, too: by a faked clock, which stands still, no real timer is ever due
exports.setImmediate = setImmediate ?? setTimeout ?? callNow // browsers have none, and a sandbox has no timers
exports.setTimeout = setTimeout

/** zone.js 0.16 keeps the caller's zone in the `nextTick` that it patches, but not in a captured one. */
exports.nextTick = (callback, ...args) => {
  enqueueTick(globalThis.Zone?.current?.wrap?.(callback, 'body-parser') ?? callback, ...args)
}

/** In browsers and workers, whose `queueMicrotask` passes no arguments on. */
function enqueueMicrotask (callback, ...args) {
  queueMicrotask(() => callback(...args))
}

function callNow (callback, ...args) {
  callback(...args)
}

const ZSTD_FRAME = Uint8Array.of(0x28, 0xB5, 0x2F, 0xFD, 0x20, 0x01, 0x09, 0x00, 0x00, 0x78) // of one byte

/**
 * Node 22 and 24: see ./coding/codings.js.
 *
 * @param {(bytes: Uint8Array) => Uint8Array} decode zlib.zstdDecompressSync
 * @returns {boolean} whether it decodes all frames, and throws at the cut of one
 */
exports.decodesFrames = function (decode) {
  try {
    decode(ZSTD_FRAME.subarray(0, -1))
    return false
  } catch {
    return decode(Uint8Array.of(...ZSTD_FRAME, ...ZSTD_FRAME)).length === 2
  }
}

/**
 * Deno 2.9: a decoder of br that reports no error for a body that is cut off. It
 * takes another byte there, which it leaves behind the end of a whole body.
 *
 * @param {import('node:zlib').BrotliDecompress} decoder
 * @returns the same, which now reports the error of other runtimes
 */
exports.refuseCutBrotli = function (decoder) {
  if (isDeno) decoder._flush = flush
  return decoder

  function flush (done) {
    const { bytesWritten } = decoder // that it took
    decoder._transform(globalThis.Buffer.of(0), 'buffer', () => {
      const isCut = decoder.bytesWritten > bytesWritten
      done(isCut ? Object.assign(new Error('unexpected end of file'), { errno: -5, code: 'Z_BUF_ERROR' }) : null)
    })
  }
}

/**
 * Deno 2.9: `indexOf` of a Buffer is far slower than a search in JavaScript if it looks for several bytes. So is that
 * of ./bytes.js.
 */
exports.searchesSlowly = isDeno || globalThis.Buffer === undefined

/**
 * Deno 2.9: a read of a body whose client has left is rejected before the signal of the Request is aborted, which
 * `--unstable-no-legacy-abort` does not do at all then.
 *
 * Node 20 to 26: so is that of a clone, whose signal follows that of its Request.
 */
exports.isOfClient = (error) => error?.name === 'BadResource' ||
  (error?.name === 'Http' && /EOF/.test(error.message)) ||
  (error?.code === 'ECONNRESET' && error.message === 'aborted') // of an http.IncomingMessage

/**
 * Bun 1.4 (JavaScriptCore): where stacks have no frames, as secure-json-parse
 * sets it, an error has no stack at all; in V8 it has the first line.
 */
exports.stackOf = function (error) {
  return error.stack ?? (error.name === 'SyntaxError' ? String(error) : undefined)
}

/**
 * A function of this package that captures no stack for what it throws, as far
 * as the realm lets `Error` be changed. Not for one that calls code of the app's.
 *
 * @param {(text: string) => unknown} callback
 */
exports.withoutStacks = (callback) => (text) => {
  const { stackTraceLimit } = Error
  limitStacks(0)
  try {
    return callback(text)
  } finally {
    limitStacks(stackTraceLimit)
  }
}

function limitStacks (frames) {
  try {
    Error.stackTraceLimit = frames
  } catch {} // `Error` is frozen
}

/**
 * What decodes charsets: iconv-lite where there is one, as TextDecoder has wrong tables in Node (nodejs/node#56542,
 * #40091), other ones in each version.
 *
 * @param {object} runtime
 * @param {(bytes: Uint8Array) => string} runtime.decodeUtf8 removes one leading byte order mark
 * @param {() => typeof import('iconv-lite') | undefined} runtime.findIconv what decodes all but UTF-8 and ISO-8859-1;
 *   without it, TextDecoder does
 */
exports.createCharsets = function ({ decodeUtf8, findIconv }) {
  return { decoderOf, load: () => findIconv()?.encodingExists('utf-16le') }

  /**
   * @param {string} charset in lower case
   * @returns {((bytes: Uint8Array) => string) | null} null if it is unknown
   */
  function decoderOf (charset) {
    if (charset === 'utf-8') return decodeUtf8
    if (isLatin1(charset)) return decodeLatin1
    const iconv = findIconv()
    if (iconv?.encodingExists(charset)) return (bytes) => iconv.decode(viewOf(bytes), charset)
    const decoder = iconv === undefined ? exports.findDecoder(charset) : null
    return decoder && ((bytes) => decoder.decode(bytes))
  }
}

/** Some of its names. What TextDecoder calls so is windows-1252. */
const isLatin1 = (charset) => /^(iso88591|latin1|l1)$/.test(charset.replace(/[^0-9a-z]/g, ''))

const decodeLatin1 = (bytes) => viewOf(bytes).latin1Slice()

const viewOf = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/**
 * @param {string} charset a name of the Encoding Standard
 * @param {{ ignoreBOM?: boolean, fatal?: boolean }} [options]
 * @returns {TextDecoder | null} null if nobody knows it
 */
exports.findDecoder = function (charset, options) {
  try {
    return new TextDecoder(charset, options)
  } catch {
    return null
  }
}
