'use strict'

// Undoes content codings: by Node's zlib, as the middleware does, where the
// runtime has it; elsewhere by DecompressionStream.

const { refuseCutBrotli, setImmediate } = require('../core/platform')
const errors = require('../core/errors')
const ChunkQueue = require('../core/body/chunk-queue')
const { findZstd } = require('../core/coding/zstd-frames')
const { findZlib, isDeno } = require('./node')

/** Coding -> function that creates a decoder. Node 20 has no zstd. */
const decodersOf = (zlib) => ({
  br: () => isDeno ? refuseCutBrotli(zlib.createBrotliDecompress()) : zlib.createBrotliDecompress(),
  deflate: zlib.createInflate,
  gzip: zlib.createGunzip,
  ...(zlib.createZstdDecompress !== undefined && { zstd: () => findZstd(zlib)() })
})

// DecompressionStream decodes a whole piece before anybody can look at `limit`.
// A piece of this size makes a megabyte of deflate at most; no size bounds br and zstd.
const FORMATS = ['deflate', 'gzip']
const PIECE = 1024 // bytes

/**
 * @param {string} coding in lower case
 * @returns {(bodyStream: import('./body-stream')) => AsyncGenerator<Uint8Array>}
 * @throws {Error} 415 for a coding that the runtime cannot undo within bounds
 */
module.exports = function findDecoder (coding) {
  const zlib = findZlib()
  const decoders = zlib && decodersOf(zlib)
  const codings = zlib ? Object.keys(decoders) : FORMATS
  if (!codings.includes(coding)) throw errors.unsupportedCoding(coding, codings)
  if (zlib) return (bodyStream) => decodeByZlib(bodyStream, decoders[coding]())
  return (bodyStream) => decodeByWeb(bodyStream, new DecompressionStream(coding))
}

/** Takes the chunks as events: the iterator of a stream loses those that came before its error. */
async function * decodeByZlib (bodyStream, decoder) {
  const decoded = new ChunkQueue()
  let proceed = () => {} // when the decoder takes more, or will not
  decoder.on('drain', () => proceed())
  decoder.on('close', () => proceed())
  decoder.on('data', (chunk) => {
    decoder.pause()
    decoded.write(chunk)
  })
  decoder.on('end', () => decoded.end())
  decoder.on('error', (error) => decoded.end(errors.unreadable(error)))
  feed().catch((error) => decoder.destroy(error))
  try {
    for (let chunk; (chunk = await decoded.pull()) !== null; decoder.resume()) yield chunk
  } finally {
    decoder.destroy() // and does not wait for `feed`, as the client may never send its next chunk
  }

  async function feed () {
    for await (const chunk of bodyStream) {
      if (decoder.destroyed) return
      if (!decoder.write(chunk)) await new Promise((resolve) => { proceed = resolve })
    }
    decoder.end()
  }
}

async function * decodeByWeb (bodyStream, { readable, writable }) {
  const reader = readable.getReader()
  const writer = writable.getWriter()
  const fed = feed()
  // In Node.js 20, a stream that is resumed and cancelled in one tick throws out of an event.
  const stop = () => setImmediate(() => {
    reader.cancel().catch(ignore)
    writer.abort().catch(ignore)
  })
  fed.catch(stop) // nothing more would come
  try {
    for (let result; !(result = await reader.read().catch(refuse)).done;) yield result.value
    await fed
  } finally {
    stop()
  }

  async function feed () {
    for await (const chunk of bodyStream) {
      for (let at = 0; at < chunk.length; at += PIECE) await writer.write(chunk.subarray(at, at + PIECE)).catch(refuse)
    }
    await writer.close().catch(refuse)
  }
}

function ignore () {}

/** Node's own error has no message, but a cause. */
function refuse (error) {
  const { cause, message } = error
  throw errors.unreadable(message ? error : new TypeError(cause?.message || 'corrupt content coding', { cause: error }))
}
