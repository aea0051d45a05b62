'use strict'

// Decoders of zstd for Node 22 and 24. The decoder of Node 22 reports no error
// if a body ends in the middle (nodejs/node#64592), and both decode only the
// first of several frames that come in one write (nodejs/node#64741). So each
// frame (RFC 8878, section 3.1) is written by itself, and an end has to be the
// end of one.

const { decodesFrames } = require('../platform')

// Each frame takes a call into a thread, of 30 us, so a body of tiny ones would
// take as long as hundreds of requests of its size.
const FREE_FRAMES = 32
const BYTES_PER_FRAME = 128 // on average

/**
 * @typedef {object} Header a part of a frame that tells what follows it
 * @property {number} length bytes
 * @property {(number: number) => { pass: number, next: Header | null }} read
 *   gets these bytes as a little-endian number; `pass`: how many bytes to skip after
 *   them; `next`: the header that follows, or null at the end of the frame
 */

/** @type {Header} */
const DESCRIPTOR = {
  length: 1,
  read (flags) {
    const isSingleSegment = (flags & 0x20) !== 0
    const windowBytes = isSingleSegment ? 0 : 1
    const dictionaryBytes = [0, 1, 2, 4][flags & 0x03]
    const sizeBytes = [isSingleSegment ? 1 : 0, 2, 4, 8][flags >> 6]
    return { pass: windowBytes + dictionaryBytes + sizeBytes, next: blockHeader((flags & 0x04) !== 0 ? 4 : 0) }
  }
}

/** @returns {Header} */
function blockHeader (checksumBytes) {
  return {
    length: 3,
    read (number) {
      const isLast = (number & 1) === 1
      const isRepeated = (number >> 1 & 0x03) === 1 // one byte, for as many as its size
      return { pass: (isRepeated ? 1 : number >> 3) + (isLast ? checksumBytes : 0), next: isLast ? null : this }
    }
  }
}

/** @type {Header} */
const SKIPPABLE_SIZE = { length: 4, read: (number) => ({ pass: number, next: null }) }

/** What begins a frame; `next` is null if it is none. @type {Header} */
const MAGIC = {
  length: 4,
  read (number) {
    const isSkippable = number >= 0x184D2A50 && number <= 0x184D2A5F
    return { pass: 0, next: isSkippable ? SKIPPABLE_SIZE : number === 0xFD2FB528 ? DESCRIPTOR : null }
  }
}

/** Finds where frames end, in whatever chunks they come; looks at their headers alone. */
class FrameSplitter {
  constructor () {
    this.pass = 0 // bytes to pass before the next header
    this.header = MAGIC // the next one; null at the end of a frame
    this.cut = new Uint8Array() // its beginning, at the end of the last chunk
    this.count = 0 // frames that began
    this.length = 0 // bytes so far
    this.isOver = false // what follows is not a frame
  }

  /** Whether the body may end here: after a frame, or after other bytes that follow one. */
  get isWhole () {
    return this.count > 0 && this.header === MAGIC
  }

  /** Whether the frames are so small that decoding them takes too long. */
  get isExpensive () {
    return this.count > FREE_FRAMES + this.length / BYTES_PER_FRAME
  }

  /**
   * @param {Uint8Array} bytes the next chunk
   * @returns {Uint8Array[]} its frames, of which the first and the last may be
   *   parts; without bytes that follow the last frame
   */
  split (bytes) {
    const chunk = this.cut.length === 0 ? bytes : globalThis.Buffer.concat([this.cut, bytes])
    const pieces = []
    let begin = 0
    let at = 0
    this.length += bytes.length
    while (!this.isOver) {
      const passed = Math.min(this.pass, chunk.length - at)
      at += passed
      this.pass -= passed
      if (this.pass === 0 && this.header === null) {
        pieces.push(chunk.subarray(begin, at))
        begin = at
        this.header = MAGIC
      }
      if (this.pass > 0 || chunk.length - at < this.header.length) break
      at = this.readHeader(chunk, at)
    }
    if (at > begin) pieces.push(chunk.subarray(begin, at))
    this.cut = chunk.subarray(this.isOver ? chunk.length : at)
    return pieces
  }

  /**
   * Bytes that begin no frame go to the decoder, which reports them, if they come
   * first; after a frame they are ignored, as in Node 26.
   *
   * @returns {number} where the header ends
   */
  readHeader (chunk, at) {
    const { header } = this
    const end = at + header.length
    let number = 0 // little-endian
    for (let index = end - 1; index >= at; index--) number = number * 0x100 + chunk[index]
    const { pass, next } = header.read(number)
    if (header === MAGIC && next === null) {
      this.isOver = true
      return this.count > 0 ? at : chunk.length
    }
    if (header === MAGIC) this.count++
    this.pass = pass
    this.header = next
    return end
  }
}

/** @param {import('node:zlib')} zlib handed over, as this file is part of bundles */
function createDecoder (zlib) {
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

/** Intentionally module-level: whether the engine's decoder is right. */
let isRight

/**
 * Asks the engine, so not before a body needs it.
 *
 * @returns {() => import('node:stream').Duplex}
 */
function findZstd (zlib) {
  isRight ??= decodesFrames(zlib.zstdDecompressSync)
  return isRight ? zlib.createZstdDecompress : () => createDecoder(zlib)
}

module.exports = { createDecoder, findZstd, FrameSplitter }
