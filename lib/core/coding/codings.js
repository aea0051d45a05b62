'use strict'

// The content codings (RFC 9110, section 8.4) that zlib undoes, for the middleware and for /web. It is handed over, as
// this file is part of bundles.

const { decodesFrames, refuseCutBrotli } = require('../platform')
const { FrameSplitter, gzipSize, zstdSize } = require('./frame-headers')

/**
 * @param {import('node:zlib')} zlib
 * @returns {Map<string, () => import('node:stream').Duplex>} name in lower case -> function that creates a decoder
 */
function createDecoders (zlib) {
  const decoders = new Map([
    ['gzip', zlib.createGunzip],
    ['deflate', zlib.createInflate],
    ['br', () => refuseCutBrotli(zlib.createBrotliDecompress())]
  ])
  if (zlib.createZstdDecompress) decoders.set('zstd', () => createZstd(zlib)) // Node 22.15, 23.8
  return decoders
}

/** Intentionally module-level: whether the engine's decoder of zstd is right. */
let isRight

/** Asks the engine, so not before a body needs it. */
function createZstd (zlib) {
  isRight ??= decodesFrames(zlib.zstdDecompressSync)
  return isRight ? zlib.createZstdDecompress() : createFrameDecoder(zlib)
}

/**
 * A decoder of zstd for Node 22 and 24. That of Node 22 reports no error if a body ends in the middle
 * (nodejs/node#64592), and both decode only the first of several frames that come in one write (nodejs/node#64741). So
 * each frame is written by itself, and an end has to be the end of one.
 */
function createFrameDecoder (zlib) {
  const { Z_BUF_ERROR, Z_DATA_ERROR, ZSTD_e_continue: CONTINUE } = zlib.constants
  // Node 24 takes a piece for the last one if as many bytes are left to write.
  const decoder = zlib.createZstdDecompress({ finishFlush: CONTINUE })
  const splitter = new FrameSplitter()
  const { _transform } = decoder
  decoder._transform = transform
  decoder._flush = flush
  return decoder

  function transform (chunk, encoding, done) {
    const pieces = splitter.split(chunk)
    if (splitter.isExpensive) done(createZlibError('too many small frames', 'Z_DATA_ERROR', Z_DATA_ERROR))
    else writeNext()

    function writeNext () {
      if (pieces.length === 0) done()
      else _transform.call(decoder, pieces.shift(), encoding, writeNext)
    }
  }

  function flush (done) {
    const cut = splitter.isWhole ? null : createZlibError('unexpected end of file', 'Z_BUF_ERROR', Z_BUF_ERROR)
    const end = () => done(cut)
    if (splitter.count > 0 || splitter.cut.length === 0) end()
    else _transform.call(decoder, splitter.cut, 'buffer', end) // it reports bytes that no frame begins with
  }
}

/** As those of zlib are. */
const createZlibError = (message, code, errno) => Object.assign(new Error(message), { errno, code })

// Small coded bodies, which one call of zlib decodes.

const MAX_CODED = 768 // bytes
const MAX_DECODED = 16 * 1024 // bytes; less is decoded in one call
const MIN_CHUNK = 64 // bytes that zlib must be given room for

/**
 * Options of zlib: one byte more, so that it sees the end within this chunk. One of its usual size takes as long to
 * allocate as a small body to decode.
 */
const roomFor = (size) => ({ chunkSize: Math.max(MIN_CHUNK, size + 1), maxOutputLength: Math.max(size, 1) })

/** Coding -> what a body says that it decodes to, and the call of zlib that decodes it. */
const ONE_SHOT = {
  __proto__: null,
  gzip: [gzipSize, 'gunzipSync'],
  zstd: [zstdSize, 'zstdDecompressSync']
}

const hasOneShot = (coding) => coding in ONE_SHOT

/**
 * @param {import('node:zlib')} zlib
 * @param {string} coding
 * @param {Buffer} bytes the whole body
 * @returns {Buffer | null} null if one call may take long
 * @throws {Error} as zlib does
 */
function decodeAtOnce (zlib, coding, bytes) {
  const [sizeOf, method] = ONE_SHOT[coding] ?? [() => null]
  const size = sizeOf(bytes)
  return size === null || size >= MAX_DECODED ? null : zlib[method](bytes, roomFor(size))
}

// Tests use createFrameDecoder in every version of Node, as well as where the engine's decoder is right.
module.exports = { createDecoders, createFrameDecoder, decodeAtOnce, hasOneShot, MAX_CODED }
