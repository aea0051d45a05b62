'use strict'

// Undoes content codings: by Node's zlib, as the middleware does, where the
// runtime has it; elsewhere by DecompressionStream.

const { setImmediate } = require('../core/platform')
const errors = require('../core/errors')
const { truncate } = require('../core/wording')
const codings = require('../core/coding/codings')
const DecodedSource = require('../core/source/decoded-source')
const WrappingSource = require('../core/source/wrapping-source')
const { findZlib } = require('./node')

// DecompressionStream decodes a whole piece before anybody can look at `limit`.
// A piece of this size makes a megabyte of deflate at most; no size bounds br and zstd.
const FORMATS = ['deflate', 'gzip']
const PIECE = 1024 // bytes

/**
 * @param {string} coding in lower case
 * @returns {(body: import('../core/source/source')) => WrappingSource}
 * @throws {Error} 415 for a coding that the runtime cannot undo within bounds
 */
function findDecoder (coding) {
  const zlib = findZlib()
  const decoders = zlib && codings.createDecoders(zlib)
  const names = decoders ? [...decoders.keys()] : FORMATS
  if (!names.includes(coding)) throw errors.unsupportedCoding(coding, names, truncate)
  if (decoders) return (body) => new DecodedSource(body, decoders.get(coding)())
  return (body) => new WebSource(body, new DecompressionStream(coding))
}

/**
 * @param {string} coding
 * @param {Uint8Array} coded the whole body
 * @returns {Uint8Array | null} null if a stream has to decode it, or to find what is wrong with it
 */
function decodeAtOnce (coding, coded) {
  const zlib = findZlib()
  if (zlib === undefined || coded.length > codings.MAX_CODED) return null
  try {
    return codings.decodeAtOnce(zlib, coding, globalThis.Buffer.from(coded.buffer, coded.byteOffset, coded.length))
  } catch {
    return null
  }
}

class WebSource extends WrappingSource {
  /**
   * @param {import('../core/source/source')} body
   * @param {{ readable: ReadableStream, writable: WritableStream }} decoder
   */
  constructor (body, { readable, writable }) {
    super(body)
    this.reader = readable.getReader()
    this.writer = writable.getWriter()
    this.hasBegun = false
    this.isWritten = false // whether the decoder has taken everything
    this.isRead = false // whether it has given everything
  }

  ask () {
    if (!this.hasBegun) super.ask()
    this.hasBegun = true
    this.attempt(this.reader.read(), ({ done, value }) => {
      this.isRead = done
      if (done) this.endOnceDecoded()
      else this.give(value)
    })
  }

  take (chunk) {
    this.attempt(chunk === null ? this.writer.close() : this.writePieces(chunk), () => {
      this.isWritten = chunk === null
      if (chunk === null) this.endOnceDecoded()
      else if (!this.isOver) super.ask()
    })
  }

  async writePieces (chunk) {
    for (let at = 0; at < chunk.length; at += PIECE) await this.writer.write(chunk.subarray(at, at + PIECE))
  }

  endOnceDecoded () {
    if (this.isWritten && this.isRead) this.end()
  }

  attempt (promise, onValue) {
    promise.then(onValue, (error) => this.end(explain(error)))
  }

  /** In Node.js 20, a stream that is resumed and cancelled in one tick throws out of an event. */
  release () {
    super.release()
    setImmediate(() => {
      this.reader.cancel().catch(ignore)
      this.writer.abort().catch(ignore)
    })
  }
}

function ignore () {}

/** Node's own error has no message, but a cause. */
function explain (error) {
  const { cause, message } = error
  const told = message ? error : new TypeError(cause?.message || 'corrupt content coding', { cause: error })
  return errors.unreadable(told)
}

module.exports = { decodeAtOnce, findDecoder }
