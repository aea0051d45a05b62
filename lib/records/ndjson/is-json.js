'use strict'

// Whether JSON.parse takes a text, told without an error that is thrown.

const {
  BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE, SPACE, isBlank
} = require('../../json-keys/text')

const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const WRONG = -1

/** @param {string} text that is short, as its nesting is followed by calls */
module.exports = function isJson (text) {
  const end = skipValue(text, 0)
  return end !== WRONG && skipBlanks(text, end) === text.length
}

// Each gets the index where something begins, and returns the one behind it, or WRONG.

function skipValue (text, start) {
  const at = skipBlanks(text, start)
  const code = text.charCodeAt(at)
  if (code === QUOTE) return skipString(text, at)
  if (code === OPEN_BRACE) return skipContainer(text, at, CLOSE_BRACE, skipMember)
  if (code === OPEN_BRACKET) return skipContainer(text, at, CLOSE_BRACKET, skipValue)
  return skipPattern(SCALAR, text, at)
}

function skipContainer (text, start, close, skipChild) {
  let at = skipBlanks(text, start + 1)
  if (text.charCodeAt(at) === close) return at + 1
  for (;;) {
    at = skipChild(text, at)
    if (at === WRONG) return WRONG
    at = skipBlanks(text, at)
    const code = text.charCodeAt(at)
    if (code === close) return at + 1
    if (code !== COMMA) return WRONG
    at++
  }
}

function skipMember (text, start) {
  const name = skipBlanks(text, start)
  const end = text.charCodeAt(name) === QUOTE ? skipString(text, name) : WRONG
  const colon = end === WRONG ? WRONG : skipBlanks(text, end)
  return text.charCodeAt(colon) === COLON ? skipValue(text, colon + 1) : WRONG
}

function skipString (text, start) {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at + 1
    if (code < SPACE) return WRONG
    if (code !== BACKSLASH) continue
    const end = skipPattern(ESCAPE, text, at)
    if (end === WRONG) return WRONG
    at = end - 1
  }
  return WRONG
}

function skipPattern (pattern, text, start) {
  pattern.lastIndex = start
  return pattern.test(text) ? pattern.lastIndex : WRONG
}

function skipBlanks (text, start) {
  let at = start
  while (isBlank(text.charCodeAt(at))) at++
  return at
}
