'use strict'

// Reads JSON text byte by byte: all its punctuation is ASCII, and no byte of a
// longer UTF-8 character looks like ASCII. Functions take indexes into `bytes`
// and return such indexes; `end` is always exclusive.

const { createEngineParse } = require('../json-keys/json')
const {
  BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, LOWER_U, OPEN_BRACE, OPEN_BRACKET, QUOTE, countBackslashes,
  isBlank
} = require('../json-keys/text')
const { decodableLength } = require('./utf8')

const parseJson = createEngineParse()

/** By byte: 1 if it starts a string, separates children, or opens or closes a container. */
const IS_STRUCTURAL = new Uint8Array(256)
for (const byte of [QUOTE, COMMA, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE]) IS_STRUCTURAL[byte] = 1

/**
 * Reads `"name":`, with optional white space around each part.
 *
 * @returns {string} the name
 * @throws {SyntaxError} with any message, if it is something else
 */
function readName (bytes, start, end) {
  let colon = end - 1
  while (isBlank(bytes[colon])) colon--
  const name = bytes[colon] === COLON ? JSON.parse(bytes.toString('utf8', start, colon)) : null
  if (typeof name !== 'string') throw new SyntaxError('not a name')
  return name
}

/**
 * Finds where the content of a string that goes on in later bytes can be cut:
 * not within an escape, and not within a character of several bytes.
 */
function findCut (bytes, start) {
  const { length } = bytes
  for (let at = length - 1; at >= start && at >= length - 5; at--) {
    if (bytes[at] !== BACKSLASH) continue
    const startsEscape = countBackslashes(bytes, start, at) % 2 === 0
    const escapeEnd = at + (bytes[at + 1] === LOWER_U ? 6 : 2) // `\u0000` or `\n`
    if (startsEscape && escapeEnd > length) return at
    break
  }
  return start + decodableLength(bytes.subarray(start))
}

module.exports = { IS_STRUCTURAL, findCut, parseJson, readName }
