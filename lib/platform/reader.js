'use strict'

// Reads JSON text (RFC 8259) without letting the engine read an object: strings
// with escapes, and numbers that are not short integers, are given to JSON.parse
// one by one.

const define = require('./define')
const { BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, LOWER_U, OPEN_BRACE, OPEN_BRACKET, QUOTE, SPACE, isBlank } = require('./text')

const DOT = 0x2E
const ZERO = 0x30
const LOWER_E = 0x65
const LOWER_F = 0x66
const LOWER_N = 0x6E
const LOWER_T = 0x74

const SHORT_STRING = 13 // characters; a slice this long or longer would keep the whole text in memory
const LONG_KEY = 100 // characters; JSON.parse is faster for keys with escapes from there
const MAX_DIGITS = 15 // of integers that a number holds exactly
const MAX_KEYS = 1000 // that are remembered; records have fewer, and other keys do not come again

const ESCAPES = [] // by character code
for (const [letter, character] of Object.entries({ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' })) ESCAPES[letter.charCodeAt(0)] = character
const HEX = [] // digits, by character code
for (const digit of '0123456789abcdefABCDEF') HEX[digit.charCodeAt(0)] = parseInt(digit, 16)

/**
 * A value and, for revivers, where it came from: the text of a primitive, or
 * what a container has by key.
 *
 * @typedef {{ value: unknown, source?: string, children?: Map<string, Parsed> }} Parsed
 */

class Reader {
  /**
   * @param {string} text
   * @param {boolean} keepsSources whether the result has `source` and `children`
   */
  constructor (text, keepsSources) {
    this.text = text
    this.at = 0
    this.keepsSources = keepsSources
    this.escape = -1 // index of the first backslash in the last string
    this.keys = new Map() // by how they are written: the engine looks up each new string among all keys
  }

  /**
   * @returns {Parsed} the whole
   * @throws {SyntaxError} with any message
   */
  read () {
    const { text, keepsSources } = this
    let container = null // the innermost that is open
    for (;;) {
      const start = this.skipBlanks()
      const code = text.charCodeAt(start)
      let value, source, children
      if (code === OPEN_BRACE || code === OPEN_BRACKET) {
        const opened = open(code === OPEN_BRACE, container, keepsSources)
        this.at++
        if (text.charCodeAt(this.skipBlanks()) !== opened.closing) {
          container = opened
          if (container.isObject) container.key = this.readKey()
          continue
        }
        this.at++
        ;({ value, children } = opened)
      } else {
        value = this.readPrimitive(code)
        if (keepsSources) source = text.slice(start, this.at)
      }
      for (;;) {
        const next = text.charCodeAt(this.skipBlanks())
        if (container === null) return this.at === text.length ? { value, source, children } : fail()
        add(container, value, source, children)
        this.at++
        if (next === COMMA) {
          if (container.isObject) container.key = this.readKey()
          break
        }
        if (next !== container.closing) fail()
        source = undefined
        ;({ value, children, outer: container } = container)
      }
    }
  }

  skipBlanks () {
    const { text } = this
    let code = text.charCodeAt(this.at)
    while (code <= SPACE && isBlank(code)) code = text.charCodeAt(++this.at)
    return this.at
  }

  /** Reads a key and its colon. */
  readKey () {
    const { text, keys } = this
    const open = this.skipBlanks()
    if (text.charCodeAt(open) !== QUOTE) fail()
    const close = this.skipString(open)
    const source = text.slice(open + 1, close)
    let key = keys.get(source)
    if (key === undefined) {
      key = this.escape === -1 ? source : unescape(source, this.escape - open - 1)
      if (keys.size < MAX_KEYS) keys.set(source, key)
    }
    if (text.charCodeAt(this.skipBlanks()) !== COLON) fail()
    this.at++
    return key
  }

  readPrimitive (code) {
    switch (code) {
      case QUOTE: return this.readString()
      case LOWER_T: return this.readLiteral('true', true)
      case LOWER_F: return this.readLiteral('false', false)
      case LOWER_N: return this.readLiteral('null', null)
      default: return this.readNumber(code)
    }
  }

  readString () {
    const open = this.at
    const close = this.skipString(open)
    return this.escape === -1 && close - open <= SHORT_STRING ? this.text.slice(open + 1, close) : JSON.parse(this.text.slice(open, close + 1))
  }

  /** @returns {number} the index of the closing quote */
  skipString (open) {
    const { text } = this
    let at = open + 1
    this.escape = -1
    for (;;) {
      const code = text.charCodeAt(at)
      if (code === QUOTE) break
      if (code === BACKSLASH) {
        if (this.escape === -1) this.escape = at
        at += 2
      } else if (code >= SPACE) {
        at++
      } else {
        fail() // a control character, or the end of the text
      }
    }
    this.at = at + 1
    return at
  }

  readLiteral (literal, value) {
    if (!this.text.startsWith(literal, this.at)) fail()
    this.at += literal.length
    return value
  }

  readNumber (first) {
    const { text, at: start } = this
    let at = start
    let code = first
    let value = 0
    do {
      value = value * 10 + code - ZERO
      code = text.charCodeAt(++at)
    } while (code >= ZERO && code < ZERO + 10)
    const isInteger = first > ZERO && first < ZERO + 10 && code !== DOT && (code | 0x20) !== LOWER_E
    if (isInteger && at - start <= MAX_DIGITS) {
      this.at = at
      return value
    }
    while (isOfNumber(code)) code = text.charCodeAt(++at)
    this.at = at
    return JSON.parse(text.slice(start, at))
  }
}

/** Digits, signs, dot, slash, E and e. */
function isOfNumber (code) {
  return (code >= 0x2B && code <= 0x39 && code !== COMMA) || (code | 0x20) === LOWER_E
}

/** An array or object whose end is not reached yet. */
function open (isObject, outer, keepsSources) {
  return {
    value: isObject ? {} : [],
    isObject,
    closing: isObject ? CLOSE_BRACE : CLOSE_BRACKET,
    key: undefined, // of the next child of an object
    children: keepsSources ? new Map() : undefined,
    outer
  }
}

function add (container, value, source, children) {
  if (container.children !== undefined) container.children.set(container.isObject ? container.key : `${container.value.length}`, { value, source, children })
  define(container.value, container.isObject ? container.key : container.value.length, value)
}

/** @param {number} backslash index of the first one */
function unescape (source, backslash) {
  if (source.length > LONG_KEY) return JSON.parse(`"${source}"`)
  let key = source.slice(0, backslash)
  for (let at = backslash; at < source.length;) {
    const letter = source.charCodeAt(at + 1)
    const next = at + (letter === LOWER_U ? 6 : 2)
    key += letter === LOWER_U ? String.fromCharCode(readCode(source, at + 2)) : ESCAPES[letter] ?? fail()
    for (at = next; at < source.length && source.charCodeAt(at) !== BACKSLASH;) at++
    key += source.slice(next, at)
  }
  return key
}

function readCode (text, start) {
  let code = 0
  for (let at = start; at < start + 4; at++) code = 16 * code + HEX[text.charCodeAt(at)]
  return code >= 0 ? code : fail()
}

function fail () {
  throw new SyntaxError('not JSON')
}

module.exports = Reader
