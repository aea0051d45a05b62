'use strict'

// The grammar of JSON text (RFC 8259), by UTF-16 code unit or by byte of UTF-8:
// all its punctuation is ASCII.

const SPACE = 0x20
const QUOTE = 0x22
const COMMA = 0x2C
const SLASH = 0x2F
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

/** By the code of what stands behind a backslash: the character that both mean; -1 if they mean none. */
const ESCAPES = new Int8Array(0x80).fill(-1)
for (const [name, meaning] of Object.entries({ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' })) {
  ESCAPES[name.charCodeAt(0)] = meaning.charCodeAt(0)
}
for (const code of [QUOTE, BACKSLASH, SLASH]) ESCAPES[code] = code

/** By code: the value of a hexadecimal digit; -1 for others. */
const DIGITS = new Int8Array(0x80).fill(-1)
for (const digit of '0123456789abcdefABCDEF') DIGITS[digit.charCodeAt(0)] = parseInt(digit, 16)

/** @returns {number} the code unit that four digits name; below 0 if they are none */
function readHex (codes, start) {
  const high = valueOf(codes[start]) << 12 | valueOf(codes[start + 1]) << 8
  return high | valueOf(codes[start + 2]) << 4 | valueOf(codes[start + 3])
}

function valueOf (digit) {
  return digit < 0x80 ? DIGITS[digit] : -1
}

module.exports = {
  BACKSLASH,
  BLANKS,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  ESCAPES,
  LOWER_U,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SPACE,
  isBlank,
  isEscaped,
  readHex,
  skipBlanks
}
