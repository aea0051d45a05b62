'use strict'

// UTF-8 text in chunks, which may be cut anywhere: an iterable of Buffers.

const { isEscaped } = require('../json-keys/text')

// Bytes, or UTF-16 code units: JSON.parse takes a fraction of a millisecond for
// as much text.
const PIECE_SIZE = 32 * 1024

const BYTE_ORDER_MARK = Buffer.from('\uFEFF')
const LONE_SURROGATE = /\p{Surrogate}/gu

/** @yields {Buffer} the same bytes, in pieces of at most PIECE_SIZE */
function * piecesOf (chunks) {
  for (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += PIECE_SIZE) yield chunk.subarray(at, at + PIECE_SIZE)
  }
}

/**
 * @param {Iterable<Buffer>} chunks
 * @yields {string} their text, in pieces
 */
function * decode (chunks) {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  for (const piece of piecesOf(chunks)) yield decoder.decode(piece, { stream: true })
  yield decoder.decode()
}

/**
 * @param {Uint8Array} bytes
 * @returns {number} how many of them can be decoded before later bytes are known, so that
 *   decoding piece by piece gives the same as all at once; a last character of two to four
 *   bytes is left, whether it is complete or not
 */
function decodableLength (bytes) {
  const { length } = bytes
  let end = length
  while (end > length - 3 && isContinuation(bytes[end - 1])) end--
  return bytes[end - 1] >= 0xC0 ? end - 1 : length
}

function isContinuation (byte) {
  return byte >= 0x80 && byte < 0xC0
}

/**
 * @param {Buffer[]} chunks
 * @returns {Buffer[]} the same text without one byte order mark at its start; none of them is empty
 */
function withoutByteOrderMark (chunks) {
  const { length } = BYTE_ORDER_MARK
  const list = chunks.filter((chunk) => chunk.length > 0) // so at most two are joined
  while (list.length > 1 && list[0].length < length) list.unshift(Buffer.concat(list.splice(0, 2)))
  if (list.length > 0 && list[0].subarray(0, length).equals(BYTE_ORDER_MARK)) list[0] = list[0].subarray(length)
  return list.filter((chunk) => chunk.length > 0)
}

/**
 * The UTF-8 of a string, encoded piece by piece, and anew for each iteration, so
 * that the string and its bytes are not in memory at the same time.
 */
class TextChunks {
  /** @param {string} text may have lone surrogates */
  constructor (text) {
    this.text = text
    this.isWellFormed = true // as far as it was encoded
  }

  * [Symbol.iterator] () {
    const { text } = this
    for (let start = 0, end; start < text.length; start = end) {
      end = start + PIECE_SIZE
      if (isLowSurrogate(text.charCodeAt(end))) end++
      const piece = text.slice(start, end)
      this.isWellFormed &&= piece.isWellFormed()
      yield Buffer.from(this.isWellFormed ? piece : escapeLoneSurrogates(piece, text, start))
    }
  }
}

function isLowSurrogate (code) {
  return code >= 0xDC00 && code < 0xE000
}

/**
 * UTF-8 cannot encode a lone surrogate, but JSON can name it: it becomes an
 * escape such as `\ud800`. Behind a backslash it is invalid JSON, and there
 * such an escape would be read as a backslash and five letters, which is
 * valid; `!` in its place is as invalid as the surrogate.
 */
function escapeLoneSurrogates (piece, text, index) {
  return piece.replace(LONE_SURROGATE, (surrogate, at) => {
    return isEscaped(text, index + at) ? '!' : `\\u${surrogate.charCodeAt(0).toString(16)}`
  })
}

module.exports = { PIECE_SIZE, TextChunks, decodableLength, decode, piecesOf, withoutByteOrderMark }
