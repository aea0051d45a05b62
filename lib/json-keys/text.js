'use strict'

// The grammar of JSON text (RFC 8259), by UTF-16 code unit or by byte of UTF-8:
// all its punctuation is ASCII.

const TAB = 0x09
const LF = 0x0A
const CR = 0x0D
const SPACE = 0x20
const QUOTE = 0x22
const COMMA = 0x2C
const COLON = 0x3A
const OPEN_BRACKET = 0x5B
const BACKSLASH = 0x5C
const CLOSE_BRACKET = 0x5D
const LOWER_U = 0x75
const OPEN_BRACE = 0x7B
const CLOSE_BRACE = 0x7D

/** JSON's white space. */
function isBlank (code) {
  return code === SPACE || code === LF || code === CR || code === TAB
}

/** @returns {number} index of the first of these bytes that is not white space; `end` if all are */
function skipBlanks (bytes, start, end) {
  let at = start
  while (at < end && isBlank(bytes[at])) at++
  return at
}

/** @returns {number} how many backslashes stand before `end`, down to `start` */
function countBackslashes (bytes, start, end) {
  let first = end
  while (first > start && bytes[first - 1] === BACKSLASH) first--
  return end - first
}

/** Whether an odd number of backslashes precedes the quote at this index, which is in a string or ends it. */
function isEscaped (text, quote) {
  let first = quote
  while (text.charCodeAt(first - 1) === BACKSLASH) first--
  return (quote - first) % 2 === 1
}

module.exports = {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  LOWER_U,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SPACE,
  countBackslashes,
  isBlank,
  isEscaped,
  skipBlanks
}
