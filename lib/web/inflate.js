'use strict'

// Undoes content codings: by Node's zlib, as the middleware does, where the
// runtime has it; elsewhere by DecompressionStream.

const { refuseCutBrotli, setImmediate } = require('../core/platform')
const errors = require('../core/errors')
const { bound } = require('../core/wording')
const { findZstd } = require('../core/coding/zstd-frames')
const ChunkSource = require('./chunk-source')
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
 * @returns {(body: ChunkSource) => ChunkSource} that has a method `stop` as well
 * @throws {Error} 415 for a coding that the runtime cannot undo within bounds
 */
module.exports = function findDecoder (coding) {
  const zlib = findZlib()
  const decoders = zlib && decodersOf(zlib)
  const codings = zlib ? Object.keys(decoders) : FORMATS
  if (!codings.includes(coding)) throw errors.unsupportedCoding(coding, codings, bound)
  if (zlib) return (body) => new ZlibSource(body, decoders[coding]())
  return (body) => new WebSource(body, new DecompressionStream(coding))
}

/** Takes the chunks as events: the iterator of a stream loses those that came before its error. */
class ZlibSource extends ChunkSource {
  /**
   * @param {ChunkSource} body
   * @param {import('node:stream').Duplex} decoder
   */
  constructor (body, decoder) {
    super()
    this.body = body
    this.decoder = decoder
    this.hasBegun = false
    this.outcome = null // once no more chunks come: empty, or with an error
    this.feed = this.feed.bind(this)
    this.write = this.write.bind(this)
    this.refuse = this.refuse.bind(this)
    decoder.on('data', (chunk) => this.take(chunk))
    decoder.on('drain', this.feed)
    decoder.on('end', () => this.finish([]))
    decoder.on('error', (error) => this.finish([errors.unreadable(error)]))
  }

  read (onChunk, onError) {
    super.read(onChunk, onError)
    if (this.outcome !== null) return this.finish(this.outcome)
    if (this.decoder.isPaused()) this.decoder.resume()
    if (this.hasBegun) return
    this.hasBegun = true
    this.feed()
  }

  feed () {
    if (!this.decoder.destroyed) this.body.read(this.write, this.refuse)
  }

  /** A decoder that has been stopped meanwhile takes nothing, and emits nothing for it. */
  write (chunk) {
    if (chunk === null) this.decoder.end()
    else if (this.decoder.write(chunk)) this.feed()
  }

  /** The body has failed. */
  refuse (error) {
    this.stop()
    this.finish([error])
  }

  take (chunk) {
    this.give(chunk)
    if (!this.isAwaited) this.decoder.pause()
  }

  /** @param {[] | [unknown]} outcome has the error. Only the first one counts. */
  finish (outcome) {
    this.outcome ??= outcome
    if (!this.isAwaited) return
    if (this.outcome.length > 0) this.fail(this.outcome[0])
    else this.give(null)
  }

  /** Does not wait for the body, as the client may never send its next chunk. */
  stop () {
    this.decoder.destroy()
  }
}

class WebSource extends ChunkSource {
  /**
   * @param {ChunkSource} body
   * @param {{ readable: ReadableStream, writable: WritableStream }} decoder
   */
  constructor (body, { readable, writable }) {
    super()
    this.body = body
    this.reader = readable.getReader()
    this.writer = writable.getWriter()
    this.fed = null // a promise, once it has begun
  }

  read (onChunk, onError) {
    super.read(onChunk, onError)
    if (this.fed === null) {
      this.fed = this.feed()
      this.fed.catch(() => this.stop()) // nothing more would come
    }
    this.next().then((chunk) => this.give(chunk), (error) => this.fail(error))
  }

  /** @returns {Promise<Uint8Array | null>} */
  async next () {
    const { done, value } = await this.reader.read().catch(refuse)
    if (done) await this.fed
    return done ? null : value
  }

  async feed () {
    const { body, writer } = this
    for (let chunk; (chunk = await body.pull()) !== null;) {
      for (let at = 0; at < chunk.length; at += PIECE) await writer.write(chunk.subarray(at, at + PIECE)).catch(refuse)
    }
    await writer.close().catch(refuse)
  }

  /** In Node.js 20, a stream that is resumed and cancelled in one tick throws out of an event. */
  stop () {
    setImmediate(() => {
      this.reader.cancel().catch(ignore)
      this.writer.abort().catch(ignore)
    })
  }
}

function ignore () {}

/** Node's own error has no message, but a cause. */
function refuse (error) {
  const { cause, message } = error
  throw errors.unreadable(message ? error : new TypeError(cause?.message || 'corrupt content coding', { cause: error }))
}
