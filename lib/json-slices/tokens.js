'use strict'

// Finds the structure of a JSON text in bytes of UTF-8: all its punctuation is
// ASCII, and no byte of a longer character looks like ASCII. The text is not
// checked: what is found behind its first fault means nothing.

const {
  BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE
} = require('../json-keys/text')

const SHORT = 64 // bytes: most strings end before, and a call of `indexOf` takes longer than to look at so many

/** By byte: 1 if `nextToken` stops there, or has to skip a string. */
const IS_TOKEN = new Uint8Array(256)
for (const byte of [QUOTE, COMMA, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE]) IS_TOKEN[byte] = 1

/**
 * @param {Uint8Array} bytes
 * @param {number} start index outside of strings
 * @param {number} end
 * @returns {number} index of the next comma, bracket or brace outside of strings; that of a quote if the string behind
 *   it does not end before `end`; or `end`
 */
function nextToken (bytes, start, end) {
  let at = start
  while (at < end && IS_TOKEN[bytes[at]] === 0) at++
  return at < end && bytes[at] === QUOTE ? skipStrings(bytes, at, end) : at
}

/**
 * Not a part of `nextToken`, which V8 inlines only while it is small.
 *
 * @param {number} quote index of one that begins a string
 */
function skipStrings (bytes, quote, end) {
  let at = quote
  while (at < end && bytes[at] === QUOTE) {
    const close = findStringEnd(bytes, at + 1, end)
    if (close >= end) return at
    at = close + 1
    while (at < end && IS_TOKEN[bytes[at]] === 0) at++
  }
  return at
}

/**
 * @param {Uint8Array} bytes
 * @param {number} start index in a string, of a byte that is not escaped
 * @param {number} end
 * @returns {number} index of the quote that ends the string; without one, that of the next byte which is not escaped:
 *   `end`, or one more
 */
function findStringEnd (bytes, start, end) {
  let at = start
  for (;;) {
    const near = at + SHORT < end ? at + SHORT : end
    while (at < near) {
      const byte = bytes[at]
      if (byte === QUOTE) return at
      at += byte === BACKSLASH ? 2 : 1
    }
    if (at >= end) return at
    const quote = bytes.indexOf(QUOTE, at)
    const next = quote === -1 || quote > end ? end : quote
    const isEscaped = countBackslashes(bytes, at, next) % 2 === 1
    if (!isEscaped && next < end) return next
    at = isEscaped ? next + 1 : next
  }
}

/**
 * @param {number} quote index of one that begins a string which does not end before `end`
 * @returns {number} index of the next byte that is not escaped: `end`, or one more
 */
function endOfPart (bytes, quote, end) {
  return end + countBackslashes(bytes, quote + 1, end) % 2
}

/** @returns {number} how many backslashes stand before `end`, down to `start` */
function countBackslashes (bytes, start, end) {
  let first = end
  while (first > start && bytes[first - 1] === BACKSLASH) first--
  return end - first
}

/** @returns {boolean} whether this bracket or brace opens a container */
const isOpening = (byte) => byte === OPEN_BRACE || byte === OPEN_BRACKET

module.exports = { countBackslashes, endOfPart, findStringEnd, isOpening, nextToken }
