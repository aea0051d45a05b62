'use strict'

// Option `depth` of json: how deep a JSON text nests, found before it is parsed.

const errors = require('../core/errors')

const QUOTE = 0x22
const BACKSLASH = 0x5C
const OPEN_BRACKET = 0x5B
const CLOSE_BRACKET = 0x5D
const OPEN_BRACE = 0x7B
const CLOSE_BRACE = 0x7D

/** Whether arrays and objects nest deeper than that: `1` is 0 deep, `[]` is 1. Leaves syntax errors to JSON.parse. */
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

/** The index of the quote that closes a string, or the length of the text. */
function skipString (text, start) {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

/** Whether an odd number of backslashes precedes it. Each belongs to one quote, so the search stays linear. */
function isEscaped (text, quote) {
  let before = quote
  while (text.charCodeAt(before - 1) === BACKSLASH) before--
  return (quote - before) % 2 === 1
}

/** Changes a parser that is being composed. */
module.exports = function extendParser (parser, { depth }) {
  const { parse } = parser
  return {
    ...parser,
    parse (text) {
      if (isDeeperThan(text, depth)) throw errors.nestedTooDeep(depth)
      return parse(text)
    }
  }
}

module.exports.isDeeperThan = isDeeperThan
