'use strict'

// The grammar of JSON text (RFC 8259), by UTF-16 code unit or by byte of UTF-8:
// all its punctuation is ASCII.

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
const BLANKS = ' \t\n\r'

/** By code: 1 for white space. */
const IS_BLANK = new Uint8Array(SPACE + 1)
for (const blank of BLANKS) IS_BLANK[blank.charCodeAt(0)] = 1

function isBlank (code) {
  return code <= SPACE && IS_BLANK[code] === 1
}

/** @returns {number} index of the first of these bytes that is not white space; `end` if all are */
function skipBlanks (bytes, start, end) {
  let at = start
  while (at < end && isBlank(bytes[at])) at++
  return at
}

/** Whether an odd number of backslashes precedes the quote at this index, which is in a string or ends it. */
function isEscaped (text, quote) {
  let first = quote
  while (text.charCodeAt(first - 1) === BACKSLASH) first--
  return (quote - first) % 2 === 1
}

module.exports = {
  BACKSLASH,
  BLANKS,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  LOWER_U,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SPACE,
  isBlank,
  isEscaped,
  skipBlanks
}
