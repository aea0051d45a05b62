'use strict'

// The content codings (RFC 9110, section 8.4) that zlib undoes, for the middleware and for /web. It is handed over, as
// this file is part of bundles.

const { decodesFrames, refuseCutBrotli } = require('../platform')
const { FrameSplitter } = require('./frame-headers')

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

module.exports = { createDecoders, createFrameDecoder }
