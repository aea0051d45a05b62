'use strict'

// How deep a JSON text nests, found without parsing it.

const { CLOSE_BRACE, CLOSE_BRACKET, OPEN_BRACE, OPEN_BRACKET, QUOTE, isEscaped } = require('../../json-keys/text')

/** Whether arrays and objects nest deeper than that: `1` is 0 deep, `[]` is 1. Leaves syntax errors to JSON.parse. */
module.exports = function isDeeperThan (text, depth) {
  let level = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === QUOTE) {
      index = skipString(text, index + 1)
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      level++
      if (level > depth) return true
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      level--
    }
  }
  return false
}

/** The index of the quote that closes a string, or the length of the text. */
function skipString (text, start) {
  let end = text.indexOf('"', start)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}
