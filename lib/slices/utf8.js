'use strict'

// Text <-> UTF-8, a piece at a time.

const PIECE = 32 * 1024 // bytes, or UTF-16 code units: JSON.parse takes a fraction of a millisecond for it

/** How many of the bytes are whole characters, or can never become one. */
function wholeCharacters (bytes) {
  const { length } = bytes
  let end = length
  while (end > 0 && end > length - 3 && isContinuation(bytes[end - 1])) end--
  return end > 0 && bytes[end - 1] >= 0xC0 ? end - 1 : length
}

function isContinuation (byte) {
  return byte >= 0x80 && byte < 0xC0
}

/**
 * The text of bytes, as of all of them at once.
 *
 * @param {Iterable<Buffer>} chunks
 * @param {number} [from] bytes
 * @param {number} [to] bytes
 * @returns {Iterable<string>}
 */
function decode (chunks, from = 0, to = Infinity) {
  return chunks instanceof Encoded ? chunks.decode(from, to) : decodeBytes(chunks, from, to)
}

function * decodeBytes (chunks, from, to) {
  let rest = Buffer.alloc(0)
  let offset = 0
  for (const chunk of chunks) {
    if (offset >= to) break
    const end = Math.min(to - offset, chunk.length)
    for (let at = Math.max(from - offset, 0); at < end; at += PIECE) {
      const bytes = Buffer.concat([rest, chunk.subarray(at, Math.min(at + PIECE, end))])
      const whole = wholeCharacters(bytes)
      yield bytes.toString('utf8', 0, whole)
      rest = bytes.subarray(whole)
    }
    offset += chunk.length
  }
  yield rest.toString()
}

/** A text as the chunks that it would be sent as; made each time that they are asked for. */
class Encoded {
  constructor (text) {
    this.text = text
    this.begins = [] // where each piece does, in the text and in its bytes
  }

  * [Symbol.iterator] () {
    for (const { bytes } of this.pieces(0)) yield bytes
  }

  /** @param {number} from where in the bytes; earlier pieces are left out if they have been made before */
  * pieces (from) {
    const { begins, text } = this
    let [at, offset] = begins.findLast((begin) => begin[1] <= from) ?? [0, 0]
    for (let end; at < text.length; at = end) {
      end = at + PIECE
      if (isLowSurrogate(text.charCodeAt(end))) end++
      const piece = text.slice(at, end)
      const bytes = Buffer.from(piece.isWellFormed() ? piece : escapeSurrogates(piece, text, at))
      if (begins.length === 0 || begins.at(-1)[1] < offset) begins.push([at, offset])
      yield { piece, bytes, offset }
      offset += bytes.length
    }
  }

  /** Of what these bytes stand for. */
  * decode (from, to) {
    for (const { piece, bytes, offset } of this.pieces(from)) {
      if (offset >= to) break
      const [start, end] = [from, to].map((place) => Math.max(0, Math.min(place - offset, bytes.length)))
      if (start < end) yield piece.slice(unitsOf(piece, bytes, start), unitsOf(piece, bytes, end))
    }
  }
}

/** How many UTF-16 code units of a piece so many of its bytes stand for. */
function unitsOf (piece, bytes, count) {
  const escaped = bytes.toString('utf8', 0, count)
  let units = 0
  for (let at = 0; at < escaped.length; units++) {
    const isSame = piece[units] === escaped[at]
    at += isSame || escaped[at] === '!' ? 1 : '\\uXXXX'.length
  }
  return units
}

function isLowSurrogate (code) {
  return code >= 0xDC00 && code < 0xE000
}

const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g

/**
 * UTF-8 has no lone surrogates, but JSON can name them. Behind a backslash, one
 * is no escape, and must not become one: `\!` is none either.
 */
function escapeSurrogates (piece, text, at) {
  return piece.replace(LONE_SURROGATE, (surrogate, index) => {
    const isEscaped = countBackslashes(text, at + index) % 2 === 1
    return isEscaped ? '!' : `\\u${surrogate.charCodeAt(0).toString(16)}`
  })
}

/** Right before this index. */
function countBackslashes (text, index) {
  let first = index
  while (text[first - 1] === '\\') first--
  return index - first
}

module.exports = { decode, Encoded, PIECE, wholeCharacters }
