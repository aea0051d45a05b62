'use strict'

// Decoders of zstd for Node 22 and 24. The decoder of Node 22 reports no error
// if a body ends in the middle (nodejs/node#64592), and both decode only the
// first of several frames that come in one write (nodejs/node#64741). So each
// frame (RFC 8878, section 3.1) is written by itself, and an end has to be the
// end of one.

const MAGIC = 0xFD2FB528
const SKIPPABLE = 0x184D2A50 // and the fifteen numbers that follow
const MAGIC_LENGTH = 4 // bytes

// Each frame takes a call into a thread, of 30 us, so a body of tiny ones would
// take as long as hundreds of requests of its size.
const FREE_FRAMES = 32
const BYTES_PER_FRAME = 128 // on average

/** Finds where frames end, in whatever chunks they come; looks at their headers alone. */
class FrameSplitter {
  constructor () {
    this.steps = null // of the frame that is being followed; null between frames
    this.missing = 0 // bytes until the next step
    this.isRead = false // whether the step needs the number that they are
    this.value = 0
    this.place = 1
    this.held = null // the beginning of what may be a magic number
    this.count = 0 // frames that began
    this.length = 0 // bytes so far
    this.isOver = false // what follows is no frame
  }

  /** Whether the body may end here: after a frame, or after other bytes that follow one. */
  get isWhole () {
    return this.count > 0 && this.steps === null
  }

  /** Whether the frames are so small that decoding them takes too long. */
  get isExpensive () {
    return this.count > FREE_FRAMES + this.length / BYTES_PER_FRAME
  }

  /**
   * @param {Uint8Array} bytes the next chunk
   * @returns {Uint8Array[]} its frames, of which the first and the last may be
   *   parts; without what is no frame and follows one
   */
  split (bytes) {
    const chunk = this.held === null ? bytes : join(this.held, bytes)
    const pieces = []
    this.held = null
    this.length += bytes.length
    for (let at = 0; at < chunk.length && !this.isOver;) {
      const begin = at
      if (this.steps === null && chunk.length - at < MAGIC_LENGTH) {
        this.held = chunk.subarray(at)
        break
      }
      if (this.steps === null) at = this.begin(chunk, at)
      at = this.follow(chunk, at)
      if (at > begin) pieces.push(chunk.subarray(begin, at))
    }
    return pieces
  }

  /** Begins a frame. The decoder reports what is none, if it comes first; else it is ignored, as Node 26 does. */
  begin (chunk, at) {
    const magic = (chunk[at] | chunk[at + 1] << 8 | chunk[at + 2] << 16 | chunk[at + 3] << 24) >>> 0
    const isSkippable = (magic & ~0xF) >>> 0 === SKIPPABLE
    this.isOver = magic !== MAGIC && !isSkippable
    if (this.isOver) return this.count > 0 ? at : chunk.length
    this.count++
    this.steps = isSkippable ? skippableSteps() : frameSteps()
    this.step()
    return at + MAGIC_LENGTH
  }

  /** @returns {number} where the frame ends, or the chunk */
  follow (chunk, at) {
    while (this.steps !== null && at < chunk.length) {
      if (this.isRead) {
        this.value += chunk[at++] * this.place
        this.place *= 0x100
        this.missing--
      } else {
        const passed = Math.min(this.missing, chunk.length - at)
        at += passed
        this.missing -= passed
      }
      if (this.missing === 0) this.step()
    }
    return at
  }

  step () {
    do {
      const { done, value } = this.steps.next(this.value)
      if (done) {
        this.steps = null
        return
      }
      this.isRead = value.read !== undefined
      this.missing = value.read ?? value.pass
      this.value = 0
      this.place = 1
    } while (this.missing === 0)
  }
}

/** What follows the magic number of a frame. Yields bytes to read as a number, the lowest first, or to pass. */
function * frameSteps () {
  const descriptor = yield { read: 1 }
  const isSingleSegment = (descriptor & 0x20) !== 0
  const hasChecksum = (descriptor & 0x04) !== 0
  const windowBytes = isSingleSegment ? 0 : 1
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 0x03]
  const sizeBytes = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6]
  yield { pass: windowBytes + dictionaryBytes + sizeBytes }
  for (let isLast = false; !isLast;) {
    const header = yield { read: 3 }
    const isRepeated = (header >> 1 & 0x03) === 1 // one byte, for as many as its size
    isLast = (header & 1) === 1
    yield { pass: isRepeated ? 1 : header >> 3 }
  }
  yield { pass: hasChecksum ? 4 : 0 }
}

function * skippableSteps () {
  yield { pass: yield { read: 4 } }
}

function join (first, second) {
  const bytes = new Uint8Array(first.length + second.length)
  bytes.set(first)
  bytes.set(second, first.length)
  return bytes
}

/** @returns {boolean} whether one call of the engine's decoder is right: for one frame, and what is ignored after it */
function isOneFrame (bytes) {
  const splitter = new FrameSplitter()
  return splitter.split(bytes).length === 1 && splitter.isWhole
}

/** @param {import('node:zlib')} zlib handed over, as this file is part of bundles */
function createDecoder (zlib) {
  const { Z_BUF_ERROR, Z_DATA_ERROR } = zlib.constants
  const decoder = zlib.createZstdDecompress()
  const splitter = new FrameSplitter()
  const { _transform } = decoder
  decoder._transform = function (chunk, encoding, done) {
    const pieces = splitter.split(chunk)
    if (splitter.isExpensive) done(createError('too many small frames', 'Z_DATA_ERROR', Z_DATA_ERROR))
    else writeNext()

    function writeNext () {
      if (pieces.length === 0) done()
      else _transform.call(decoder, pieces.shift(), encoding, writeNext)
    }
  }
  decoder._flush = function (done) {
    done(splitter.isWhole ? null : createError('unexpected end of file', 'Z_BUF_ERROR', Z_BUF_ERROR))
  }
  return decoder
}

/** As those of zlib are. */
const createError = (message, code, errno) => Object.assign(new Error(message), { errno, code })

module.exports = { createDecoder, FrameSplitter, isOneFrame }
