'use strict'

const { BACKSLASH, QUOTE, countBackslashes } = require('../json-keys/text')

const NEAR = 64 // bytes: those of most strings take less time one by one than a native search

/**
 * @param {Uint8Array} bytes
 * @param {number} start index in a string, of a byte that is not escaped
 * @param {number} end
 * @returns {number} index of the quote that ends the string; without one, that of the next byte which is not escaped:
 *   `end`, or one more
 */
function findQuote (bytes, start, end) {
  let at = start
  for (;;) {
    const near = Math.min(at + NEAR, end)
    while (at < near) {
      const byte = bytes[at]
      if (byte === QUOTE) return at
      at += byte === BACKSLASH ? 2 : 1
    }
    if (at >= end) return at
    const quote = bytes.indexOf(QUOTE, at)
    const stop = quote === -1 || quote > end ? end : quote
    const isEscaped = countBackslashes(bytes, at, stop) % 2 === 1
    if (!isEscaped && stop < end) return stop
    at = isEscaped ? stop + 1 : stop
  }
}

module.exports = { NEAR, findQuote }
