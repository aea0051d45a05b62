'use strict'

const { BACKSLASH, COLON, QUOTE, isBlank, isEscaped } = require('./text')

const NEARBY = 8 // characters; to look at this many takes less time than to call `indexOf`

/**
 * Whether a key of a JSON text is written with a backslash. For a text that is
 * not JSON, the answer may be wrong.
 *
 * @param {string} text
 */
function hasEscapedKey (text) {
  let at = text.indexOf('\\')
  while (at !== -1) {
    const quote = findClosingQuote(text, at)
    if (quote === -1) return false
    at = skipBlanks(text, quote + 1)
    if (text.charCodeAt(at) === COLON) return true
    at = text.indexOf('\\', at)
  }
  return false
}

/** @param {number} start in a string, and not between a backslash and what it escapes */
function findClosingQuote (text, start) {
  let at = start
  for (;;) {
    for (let nearby = at + NEARBY; at < nearby; at++) {
      const code = text.charCodeAt(at)
      if (code === QUOTE) return at
      if (code === BACKSLASH) nearby = ++at + NEARBY
    }
    const quote = text.indexOf('"', at)
    if (!isEscaped(text, quote)) return quote
    at = quote + 1
  }
}

function skipBlanks (text, start) {
  let at = start
  while (isBlank(text.charCodeAt(at))) at++
  return at
}

module.exports = hasEscapedKey
