'use strict'

const { isEscaped } = require('../json-keys/text')
const { PIECE_SIZE } = require('./utf8')

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

const LONE_SURROGATE = /\p{Surrogate}/gu

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
