'use strict'

// Undoes content codings: by Node's zlib, as the middleware does, where the
// runtime has it; elsewhere by DecompressionStream.

const { refuseCutBrotli } = require('../platform')
const errors = require('../errors')
const { findZlib, isDeno } = require('./node')

const DECODERS = {
  br: (zlib) => isDeno ? refuseCutBrotli(zlib.createBrotliDecompress()) : zlib.createBrotliDecompress(),
  deflate: (zlib) => zlib.createInflate(),
  gzip: (zlib) => zlib.createGunzip(),
  zstd: (zlib) => require('../coding/zstd-frames').findZstd(zlib)()
}

// DecompressionStream decodes a whole piece before anybody can look at `limit`.
// A piece of this size makes a megabyte of deflate at most; no size bounds br and zstd.
const FORMATS = ['deflate', 'gzip']
const PIECE = 1024 // bytes

/**
 * @param {string} coding in lower case
 * @returns {(bodyStream: import('./body-stream'), add: (chunk: Uint8Array) => void | Promise<void>) => Promise<void>}
 * @throws {Error} 415 for a coding that the runtime cannot undo within bounds
 */
module.exports = function findDecoder (coding) {
  const zlib = findZlib()
  const codings = zlib === undefined ? FORMATS : codingsOf(zlib)
  if (!codings.includes(coding)) throw errors.unsupportedCoding(coding, codings)
  if (zlib === undefined) return (bodyStream, add) => decodeByWeb(bodyStream, new DecompressionStream(coding), add)
  return (bodyStream, add) => decodeByZlib(bodyStream, DECODERS[coding](zlib), add)
}

/** Node 20 has no zstd. */
function codingsOf ({ createZstdDecompress }) {
  return Object.keys(DECODERS).filter((name) => name !== 'zstd' || createZstdDecompress !== undefined)
}

/** Takes the chunks as events: the iterator of a stream loses those that came before its error. */
async function decodeByZlib (bodyStream, decoder, add) {
  let proceed = () => {} // when the decoder takes more, or will not
  decoder.on('drain', () => proceed())
  decoder.on('close', () => proceed())
  const decoded = new Promise((resolve, reject) => {
    const fail = (error) => {
      decoder.destroy()
      reject(error)
    }
    decoder.on('data', (chunk) => {
      try {
        const taken = add(chunk)
        if (typeof taken?.then !== 'function') return
        decoder.pause()
        taken.then(() => decoder.resume(), fail)
      } catch (error) {
        fail(error)
      }
    })
    decoder.on('end', resolve)
    decoder.on('error', (error) => reject(errors.unreadable(error)))
  })
  const fed = feed().catch((error) => decoder.destroy(error))
  try {
    await decoded
  } finally {
    decoder.destroy()
    await fed
  }

  async function feed () {
    for (let chunk; (chunk = await bodyStream.read()) !== null && !decoder.destroyed;) {
      if (!decoder.write(chunk)) await new Promise((resolve) => { proceed = resolve })
    }
    decoder.end()
  }
}

async function decodeByWeb (bodyStream, { readable, writable }, add) {
  const reader = readable.getReader()
  const writer = writable.getWriter()
  const fed = feed()
  try {
    await Promise.all([fed, collect()])
  } catch (error) {
    reader.cancel().catch(() => {})
    writer.abort().catch(() => {})
    await fed.catch(() => {})
    throw error
  }

  async function feed () {
    for (let chunk; (chunk = await bodyStream.read()) !== null;) {
      for (let at = 0; at < chunk.length; at += PIECE) await writer.write(chunk.subarray(at, at + PIECE)).catch(refuse)
    }
    await writer.close().catch(refuse)
  }

  async function collect () {
    for (let result; !(result = await reader.read().catch(refuse)).done;) await add(result.value)
  }
}

/** Node's own error has no message, but a cause. */
function refuse (error) {
  if (error.message) throw errors.unreadable(error)
  throw errors.unreadable(new TypeError(error.cause?.message || 'corrupt content coding', { cause: error }))
}
