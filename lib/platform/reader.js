'use strict'

// Reads JSON text (RFC 8259) without letting the engine read an object: strings
// with escapes, and numbers that are not short integers, are given to JSON.parse
// one by one.

const define = require('./define')
const { BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE, SPACE, isBlank } = require('./text')

const DOT = 0x2E
const ZERO = 0x30
const LOWER_E = 0x65
const LOWER_F = 0x66
const LOWER_N = 0x6E
const LOWER_T = 0x74

const SHORT_STRING = 13 // characters; a slice this long or longer would keep the whole text in memory
const MAX_DIGITS = 15 // of integers that a number holds exactly
const MAX_KEYS = 1000 // that are remembered; records have fewer, and other keys do not come again

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
    this.hasEscape = false // in the last string
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
    while (isBlank(text.charCodeAt(this.at))) this.at++
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
      key = this.hasEscape ? JSON.parse(text.slice(open, close + 1)) : source
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
    return this.hasEscape || close - open > SHORT_STRING ? JSON.parse(this.text.slice(open, close + 1)) : this.text.slice(open + 1, close)
  }

  /** @returns {number} the index of the closing quote */
  skipString (open) {
    const { text } = this
    let at = open + 1
    this.hasEscape = false
    for (;;) {
      const code = text.charCodeAt(at)
      if (code === QUOTE) break
      if (code === BACKSLASH) {
        this.hasEscape = true
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

function fail () {
  throw new SyntaxError()
}

module.exports = Reader
