'use strict'

const { isEscaped } = require('../engine/text')
const { PIECE_SIZE } = require('./utf8')

/**
 * A string that is read like BufferChunks: iterates over its UTF-8 piece by piece.
 * The pieces are encoded anew for each iteration, so that the string and its
 * bytes are not in memory at the same time.
 */
class TextChunks {
  /** @param {string} text may have lone surrogates */
  constructor (text) {
    this.text = text
    this.starts = [] // [index in the text, offset in the bytes] of each piece encoded so far
  }

  * [Symbol.iterator] () {
    for (const { bytes } of this.encode(0)) yield bytes
  }

  /**
   * @param {number} [from=0] bytes; at the beginning of a character
   * @param {number} [to=Infinity] bytes
   * @yields {string} the part of the text whose bytes lie between the two
   */
  * decode (from = 0, to = Infinity) {
    for (const { piece, bytes, offset } of this.encode(from)) {
      if (offset >= to) break
      const [start, end] = [from, to].map((position) => Math.max(0, Math.min(position - offset, bytes.length)))
      if (start < end) yield piece.slice(countCodeUnits(piece, bytes, start), countCodeUnits(piece, bytes, end))
    }
  }

  /**
   * @param {number} from bytes; starts with the piece that contains them, if it
   *   was encoded before
   * @yields {{ piece: string, bytes: Buffer, offset: number }}
   */
  * encode (from) {
    const { starts, text } = this
    let [index, offset] = starts.findLast((start) => start[1] <= from) ?? [0, 0]
    for (let end; index < text.length; index = end) {
      end = index + PIECE_SIZE
      if (isLowSurrogate(text.charCodeAt(end))) end++
      const piece = text.slice(index, end)
      const bytes = Buffer.from(piece.isWellFormed() ? piece : escapeLoneSurrogates(piece, text, index))
      if (starts.length === 0 || starts.at(-1)[1] < offset) starts.push([index, offset])
      yield { piece, bytes, offset }
      offset += bytes.length
    }
  }
}

/** How many UTF-16 code units of a piece are encoded in the first `count` of its bytes. */
function countCodeUnits (piece, bytes, count) {
  const encoded = bytes.toString('utf8', 0, count)
  let units = 0
  for (let at = 0; at < encoded.length; units++) {
    const isUnchanged = piece[units] === encoded[at]
    at += isUnchanged || encoded[at] === '!' ? 1 : '\\uXXXX'.length
  }
  return units
}

function isLowSurrogate (code) {
  return code >= 0xDC00 && code < 0xE000
}

const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g

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

module.exports = TextChunks
