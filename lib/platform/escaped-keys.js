'use strict'

const { BACKSLASH, COLON, QUOTE, isBlank, isEscaped } = require('./text')

const NEARBY = 8 // characters; to look at so many takes less time than to call `indexOf`

/**
 * Whether a key of a JSON text is written with a backslash. For a text that is
 * not JSON, the answer may be wrong.
 *
 * @param {string} text
 */
function hasEscapedKey (text) {
  let at = text.indexOf('\\')
  while (at !== -1) {
    at = findClosingQuote(text, at)
    if (at === -1) return false
    at = skipBlanks(text, at + 1)
    if (at < text.length && text.charCodeAt(at) === COLON) return true
    at = findBackslash(text, at)
  }
  return false
}

/** @param {number} start in a string, and not between a backslash and what it escapes */
function findClosingQuote (text, start) {
  let at = start
  for (;;) {
    for (let nearby = Math.min(at + NEARBY, text.length); at < nearby; at++) {
      const code = text.charCodeAt(at)
      if (code === QUOTE) return at
      if (code === BACKSLASH) nearby = Math.min(++at + NEARBY, text.length)
    }
    const quote = text.indexOf('"', at)
    if (quote === -1 || !isEscaped(text, at, quote)) return quote
    at = quote + 1
  }
}

function skipBlanks (text, start) {
  let at = start
  while (at < text.length && isBlank(text.charCodeAt(at))) at++
  return at
}

function findBackslash (text, start) {
  const nearby = Math.min(start + NEARBY, text.length)
  for (let at = start; at < nearby; at++) if (text.charCodeAt(at) === BACKSLASH) return at
  return text.indexOf('\\', nearby)
}

module.exports = hasEscapedKey
