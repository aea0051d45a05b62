'use strict'

// Where an item may end, told by its looks: to find out takes a third of the
// time of JSON.parse. JSON.parse itself tells whether a guess is right. If it
// takes `[` and `]` around bytes that are followed by a comma, that comma stands
// between two items, as it reads the same behind the same bytes.

const { CLOSE_BRACE, COMMA, OPEN_BRACE, QUOTE, skipBlanks } = require('../../json-keys/text')
const { findQuote } = require('../../json-slices/quote')

const MAX_KEY = 32 // bytes
const MAX_BLANKS = 64 // bytes
const BRACE_BIT = 0x20 // by which braces differ from brackets

/**
 * @param {Uint8Array} bytes
 * @param {number} start index of an item
 * @param {number} end
 * @param {number} window bytes before `end` that are looked at
 * @returns {number} index of a comma; -1 without one between objects that begin as the item does: white space and key
 */
module.exports = function guessCut (bytes, start, end, window) {
  const length = lengthOfBeginning(bytes, start)
  if (length === 0) return -1
  const last = end - length
  if (end - window <= start) return findOuterCut(bytes, start, last, start, length)
  for (let at = end - window; at < last; at++) {
    if (bytes[at] === COMMA && isCut(bytes, at, start, length)) return findOuterCut(bytes, at, last, start, length)
  }
  return -1
}

/**
 * Of such commas, the last that is in no container which ends behind it: lists may nest in items.
 *
 * @param {number} first index of such a comma, or of the item
 */
function findOuterCut (bytes, first, end, start, length) {
  let cut = -1
  let depth = 0 // beside that of the cut
  for (let at = first; at < end;) {
    const byte = bytes[at++]
    if (byte === QUOTE) {
      at = findQuote(bytes, at, end) + 1
    } else if (byte === COMMA) {
      if (depth > 0 || !isCut(bytes, at - 1, start, length)) continue
      cut = at - 1
      depth = 0
    } else if (byte > COMMA) {
      const code = byte | BRACE_BIT
      if (code === OPEN_BRACE) depth++
      else if (code === CLOSE_BRACE) depth--
    }
  }
  return cut
}

/** @returns {boolean} whether an object ends before this comma, and one begins behind it as the item does */
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
