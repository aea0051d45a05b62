'use strict'

// How deep does a JSON text nest? Found in the text, before anything is built.

const QUOTE = 0x22
const BACKSLASH = 0x5C
const OPEN_BRACKET = 0x5B
const CLOSE_BRACKET = 0x5D
const OPEN_BRACE = 0x7B
const CLOSE_BRACE = 0x7D

/**
 * Whether arrays and objects nest deeper than that; `[]` is 1 deep, `1` is 0.
 * What is wrong with a text that is no JSON is for JSON.parse to say.
 *
 * @param {string} text
 * @param {number} depth
 */
function isDeeperThan (text, depth) {
  let level = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === QUOTE) {
      index = skipString(text, index)
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      level++
      if (level > depth) return true
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      level--
    }
  }
  return false
}

/** From the quote that opens a string to the one that closes it, or to the end. */
function skipString (text, start) {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

/** An odd number of backslashes before it; each is looked at for one quote only. */
function isEscaped (text, quote) {
  let before = quote
  while (text.charCodeAt(before - 1) === BACKSLASH) before--
  return (quote - before) % 2 === 1
}

module.exports = isDeeperThan
