'use strict'

// Parses JSON whose keys have escapes, without showing JSON.parse a backslash in
// a key: `"\u00e9"` becomes `"é"`. A key that cannot be written without one is
// replaced by a stand-in, and gets its name back in the value.

const { StandIns, restoreNames } = require('./names')
const revive = require('./revive')

const QUOTE = 0x22
const COLON = 0x3A
const BACKSLASH = 0x5C
const NEARBY = 32 // characters; to look at so many takes less time than to call `indexOf`
const LONG = 100 // characters
const MAX_SEEN = 1000 // keys; records have fewer, and other keys do not come again

// What has to be escaped, or could follow a string: a text that is not JSON may
// have backslashes outside of strings, and what looks like a key there comes
// right after a string. It must not turn the text into JSON.
const NEEDS_STAND_IN = /["\\\x00-\x1F]|^[ :,\]}]/ // eslint-disable-line no-control-regex
const CONTROL = /[\x00-\x1F]/ // eslint-disable-line no-control-regex

const ESCAPES = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }
const HEX = [] // digits, by character code
for (const digit of '0123456789abcdefABCDEF') HEX[digit.charCodeAt(0)] = parseInt(digit, 16)

/**
 * @param {string} text
 * @param {Function | undefined} reviver
 * @param {import('./json').Parse} parse calls JSON.parse
 * @returns {unknown} what `parse` returns in an engine that does not confuse keys
 * @throws {SyntaxError} that of JSON.parse for this text
 * @throws what `parse` or the reviver throws
 */
function parseEscapedKeys (text, reviver, parse) {
  try {
    const { plain, standIns } = unescapeKeys(text)
    if (standIns === null) return parse(plain, reviver)
    if (typeof reviver === 'function') return revive(plain, standIns, reviver)
    return restoreNames(parse(plain), standIns)
  } catch (error) {
    JSON.parse(text) // if it throws, the message is about this text
    throw error
  }
}

/**
 * Writes all keys without backslashes.
 *
 * @returns {{ plain: string, standIns: StandIns | null }} a text that is JSON only
 *   if the given one is, and its stand-ins, if it has any
 * @throws {SyntaxError} with any message, for some texts that are not JSON
 */
function unescapeKeys (text) {
  let plain = ''
  let end = 0 // all before this index is in `plain`
  let standIns = null
  const seen = new Map() // what is in `plain` instead of a key
  for (let at = text.indexOf('\\'); at !== -1;) {
    const close = findClosingQuote(text, at)
    if (close === -1) break // not JSON
    if (isKey(text, close)) {
      const open = findOpeningQuote(text, at, end)
      const source = text.slice(open + 1, close)
      let key = seen.get(source)
      if (key === undefined) {
        key = unescape(source, at - open - 1)
        if (NEEDS_STAND_IN.test(key)) {
          if (CONTROL.test(source)) fail()
          standIns ??= new StandIns(text)
          key = standIns.encode(key)
        }
        if (seen.size < MAX_SEEN) seen.set(source, key)
      }
      plain += text.slice(end, open + 1) + key
      end = close
    }
    at = text.indexOf('\\', close + 1)
  }
  return { plain: plain + text.slice(end), standIns }
}

/** @param {number} backslash index of the first one */
function unescape (source, backslash) {
  if (source.length > LONG) return JSON.parse(`"${source}"`) // which is slower for short ones
  let name = source.slice(0, backslash)
  for (let at = backslash; at < source.length;) {
    const letter = source[at + 1]
    const isCode = letter === 'u'
    name += isCode ? String.fromCharCode(readCode(source, at + 2)) : ESCAPES[letter] ?? fail()
    const next = at + (isCode ? 6 : 2)
    for (at = next; at < source.length && source.charCodeAt(at) !== BACKSLASH;) at++
    name += source.slice(next, at)
  }
  return name
}

function readCode (text, start) {
  let code = 0
  for (let at = start; at < start + 4; at++) code = 16 * code + HEX[text.charCodeAt(at)]
  return code >= 0 ? code : fail()
}

function fail () {
  throw new SyntaxError('not JSON')
}

/** @param {number} backslash the first one in a string */
function findClosingQuote (text, backslash) {
  let quote = text.indexOf('"', backslash + 2)
  while (quote !== -1 && isEscaped(text, backslash, quote)) quote = findNextQuote(text, quote + 1)
  return quote
}

/** Where one quote is escaped, most are: this finds the first that is not with fewer calls of `indexOf`. */
function findNextQuote (text, start) {
  let at = start
  for (let nearby = at + NEARBY; at < nearby && at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at
    if (code === BACKSLASH) nearby = ++at + NEARBY
  }
  return text.indexOf('"', at)
}

/** Whether an odd number of backslashes precedes it. Each belongs to one quote, so the search stays linear. */
function isEscaped (text, start, quote) {
  let first = quote
  while (first > start && text.charCodeAt(first - 1) === BACKSLASH) first--
  return (quote - first) % 2 === 1
}

/** Whether a colon follows the string, as it does after keys alone. */
function isKey (text, close) {
  let at = close + 1
  while (isBlank(text.charCodeAt(at))) at++
  return text.charCodeAt(at) === COLON
}

function isBlank (code) {
  return code === 0x20 || code === 0x0A || code === 0x0D || code === 0x09
}

/** @param {number} end of the search: what is before belongs to another key */
function findOpeningQuote (text, backslash, end) {
  let at = backslash - 1
  while (at > end && text.charCodeAt(at) !== QUOTE) at--
  return text.charCodeAt(at) === QUOTE ? at : fail()
}

module.exports = parseEscapedKeys
