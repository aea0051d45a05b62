'use strict'

// What the headers of gzip (RFC 1952) and of zstd (RFC 8878, section 3.1) say: to how much a body decodes, and where
// the frames of zstd end. Needs nothing of Node but the Buffers that it gets (../../web).

const GZIP_MAGIC = Uint8Array.of(0x1F, 0x8B, 0x08) // what each member begins with
const GZIP_HEADER = 10 // bytes, without optional fields

/**
 * Whether one call decodes gzip in so little time that it may hold the event loop. What takes long is building the
 * tables of a block, and a crafted body has hundreds of blocks: so one member of one block, which says that it decodes
 * to little. An encoder that is given a small body at once makes just that.
 *
 * @param {Buffer} bytes
 * @returns {number | null} that size; null if it may take long
 */
function gzipSize (bytes) {
  if (bytes.length <= GZIP_HEADER || bytes[3] !== 0) return null // optional fields
  const isLastBlock = (bytes[GZIP_HEADER] & 1) === 1
  return isLastBlock && !bytes.includes(GZIP_MAGIC, GZIP_HEADER) ? bytes.readUInt32LE(bytes.length - 4) : null
}

// Each frame takes a call into a thread, so a body of tiny ones would take as long as hundreds of requests of its size.
const FREE_FRAMES = 32
const BYTES_PER_FRAME = 128 // on average

const ZSTD_MAGIC = 0xFD2FB528 // what a frame begins with, little-endian
const ZSTD_DESCRIPTOR = 4 // index
const HAS_CHECKSUM = 0x04

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
    return { pass: windowBytes + dictionaryBytes + sizeBytes, next: blockHeader(flags) }
  }
}

/** @param {number} flags of the frame's descriptor @returns {Header} */
function blockHeader (flags) {
  const checksumBytes = (flags & HAS_CHECKSUM) === 0 ? 0 : 4
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
    return { pass: 0, next: isSkippable ? SKIPPABLE_SIZE : number === ZSTD_MAGIC ? DESCRIPTOR : null }
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

/** Size flag -> bytes of the field, and what its value lacks. Those of 8 bytes are for sizes that are not small. */
const SIZE_FIELDS = [[1, 0], [2, 256], [4, 0]]

/**
 * What zstd says that it decodes to, if one call may decode it: a frame without a window of its own, as the content is
 * the window: an encoder that is given a body at once makes it. Of one block, as each may have tables, which take long
 * to build; and it fills the body, so nothing is cut off.
 *
 * @param {Buffer} bytes
 * @returns {number | null} null if it is no such frame
 */
function zstdSize (bytes) {
  if (bytes.length < ZSTD_DESCRIPTOR + 5 || bytes.readUInt32LE(0) !== ZSTD_MAGIC) return null
  const flags = bytes[ZSTD_DESCRIPTOR]
  const isPlain = (flags & 0x2B) === 0x20 // one segment, no dictionary, and the reserved bit is 0
  const field = SIZE_FIELDS[flags >> 6]
  if (!isPlain || field === undefined) return null
  const [length, lacking] = field
  const at = ZSTD_DESCRIPTOR + 1 + length
  const block = blockHeader(flags)
  const content = at + block.length
  if (bytes.length < content) return null
  const { next, pass } = block.read(bytes.readUIntLE(at, block.length))
  const isWhole = next === null && content + pass === bytes.length
  return isWhole ? bytes.readUIntLE(ZSTD_DESCRIPTOR + 1, length) + lacking : null
}

module.exports = { FrameSplitter, gzipSize, zstdSize }
