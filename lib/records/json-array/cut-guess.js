'use strict'

const { CLOSE_BRACE, COMMA, OPEN_BRACE, QUOTE, skipBlanks } = require('../../json-keys/text')
const { isOpening, nextToken } = require('../../json-slices/tokens')

const WINDOW = 1024 // bytes at the end of a slice: a guess looks at these alone at first
const WIDER = 4 // the factor by which the window grows after each wrong guess
const MAX_KEY = 32 // bytes
const MAX_BLANKS = 64 // bytes

/**
 * Guesses where an item ends, from a few bytes at the end of a slice, as scanning
 * all bytes takes a good part of the time of JSON.parse. The caller checks a guess: if
 * JSON.parse accepts the bytes before a comma as items, it separates two items.
 */
class CutGuess {
  constructor () {
    this.isOn = true // until guesses turn out to be useless for this array
    this.window = WINDOW
  }

  /**
   * @param {Uint8Array} bytes
   * @param {number} start index of an item
   * @param {number} end of the bytes to look at
   * @returns {number} index of a comma between two objects, of which the second begins as this item does: with the same
   *   white space and key; -1 without one
   */
  find (bytes, start, end) {
    const length = this.isOn ? lengthOfBeginning(bytes, start) : 0
    const cut = length > 0 ? this.findLast(bytes, start, end, length) : -1
    if (cut === -1 && end < bytes.length) this.isOn = false
    return cut
  }

  findLast (bytes, start, end, length) {
    for (;;) {
      const first = Math.max(start, end - this.window)
      const cut = findOuterCut(bytes, first, end - length, start, length)
      if (cut !== -1 || first === start) return cut
      this.window *= WIDER
    }
  }

  /** The last guess was wrong. @param {number} most bytes that `find` looks at */
  widen (most) {
    this.window *= WIDER
    this.isOn = this.window < most
  }
}

/**
 * Lists in an item may have objects that begin as the item does: a comma between those is followed by the end of a
 * container that began before it.
 *
 * @param {number} first where to begin: maybe within an item, or a string
 * @returns {number} index of the last comma in the outermost container; -1 without one
 */
function findOuterCut (bytes, first, end, start, length) {
  let cut = -1
  let depth = 0 // of containers, above that of the last cut
  const begin = first === start ? start : findCut(bytes, first, end, start, length)
  for (let at = nextToken(bytes, begin, end); at < end; at = nextToken(bytes, at + 1, end)) {
    const byte = bytes[at]
    if (byte === QUOTE) break
    if (byte !== COMMA) {
      depth += isOpening(byte) ? 1 : -1
    } else if (depth <= 0 && isCut(bytes, at, start, length)) {
      cut = at
      depth = 0
    }
  }
  return cut
}

/** @returns {number} index of the first comma between two such objects; `end` without one */
function findCut (bytes, first, end, start, length) {
  for (let at = first; at < end; at++) {
    if (bytes[at] === COMMA && isCut(bytes, at, start, length)) return at
  }
  return end
}

/** @returns {boolean} whether this comma is between an object and another one that begins as the item does */
function isCut (bytes, comma, start, length) {
  if (bytes[comma - 1] !== CLOSE_BRACE) return false
  let same = 0
  while (same < length && bytes[comma + 1 + same] === bytes[start + same]) same++
  return same === length
}

/** @returns {number} bytes of the brace and the key that an object begins with; 0 if it begins otherwise */
function lengthOfBeginning (bytes, start) {
  const brace = skipBlanks(bytes, start, start + MAX_BLANKS)
  if (bytes[brace] !== OPEN_BRACE) return 0
  const quote = skipBlanks(bytes, brace + 1, brace + MAX_BLANKS)
  if (bytes[quote] !== QUOTE) return 0
  for (let length = 2; length < MAX_KEY; length++) {
    if (bytes[quote + length - 1] === QUOTE) return quote + length - start
  }
  return 0
}

module.exports = CutGuess
