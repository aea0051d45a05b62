'use strict'

// Writes the keys of a JSON text without backslashes: an engine that confuses
// keys does so only where one is written with a backslash.

const { FIRST, StandIns } = require('./stand-ins')
const { BACKSLASH, COLON, LOWER_U, QUOTE, isBlank, isEscaped } = require('./text')

const { parse, stringify } = JSON // of keys alone: an app that replaces JSON.parse is asked once, for the whole text

const NEARBY = 8 // characters; to look at this many takes less time than to call `indexOf`
const LONG = 64 // characters; JSON.parse decodes longer keys faster
const MAX_KNOWN = 1000 // keys; records have fewer, and others do not come again

const CONTROL = /[\x00-\x1F]/ // eslint-disable-line no-control-regex

const NEEDS_STAND_IN = /["\\\x00-\x1F]/ // eslint-disable-line no-control-regex
const MAY_FOLLOW_STRING = /^[ :,\]}]/

const ESCAPES = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }
const DIGITS = [] // by character code
for (const digit of '0123456789abcdefABCDEF') DIGITS[digit.charCodeAt(0)] = parseInt(digit, 16)

/**
 * @param {string} text
 * @returns {{ text: string, standIns: StandIns | null } | null} the same JSON
 *   without backslashes in keys; null if no key has one, or if it is not JSON
 */
function rewriteKeys (text) {
  let rewriter = null
  let backslash = text.indexOf('\\')
  while (backslash !== -1) {
    const expected = rewriter === null ? null : rewriter.expect(backslash)
    const close = expected === null ? findClosingQuote(text, backslash) : backslash + expected.rest
    if (close === -1) return null
    if (isColonNext(text, close + 1)) {
      rewriter ??= new Rewriter(text)
      if (!rewriter.write(backslash, close, expected)) return null
    }
    backslash = text.indexOf('\\', close + 1)
  }
  return rewriter === null ? null : rewriter.finish()
}

class Rewriter {
  constructor (text) {
    this.text = text
    this.written = ''
    this.done = 0 // all before this index is in `written`
    this.standIns = null
    this.mayHideFault = false
    this.forget()
  }

  forget () {
    this.keys = new Map() // by source: records have the same ones,
    this.last = { next: null } // in the same order
    this.known = new Map() // stand-ins by name
  }

  /** @returns the key that followed the last one before, if its first backslash is the one at this index */
  expect (backslash) {
    const { next } = this.last
    return next !== null && this.text.startsWith(next.source, backslash - next.before) ? next : null
  }

  /**
   * @param {number} backslash the first one in the key
   * @param {number} close its closing quote
   * @returns {boolean} false: the text is not JSON
   */
  write (backslash, close, expected) {
    const open = expected === null ? findOpeningQuote(this.text, backslash) : backslash - expected.before
    if (open < this.done) return false
    const key = expected ?? this.read(open, backslash, close)
    if (key === null) return false
    this.last.next = key
    this.last = key
    this.written += this.text.slice(this.done, open) + key.written
    this.done = close + 1
    return true
  }

  /** @returns {object | null} null if it is not a JSON string */
  read (open, backslash, close) {
    const source = this.text.slice(open, close + 1)
    const known = this.keys.get(source)
    if (known !== undefined) return known
    const before = backslash - open
    const name = decode(source, before)
    if (name === null) return null
    if (this.keys.size === MAX_KNOWN) this.forget()
    const written = this.needsStandIn(name) ? this.standInOf(name) : name
    if (MAY_FOLLOW_STRING.test(written)) this.mayHideFault = true
    const key = { source, before, rest: close - backslash, written: `"${written}"`, next: null }
    this.keys.set(source, key)
    return key
  }

  needsStandIn (name) {
    if (name.charCodeAt(0) === FIRST && this.openStandIns().isStandIn(name)) return true
    return name.length > LONG ? stringify(name).length > name.length + 2 : NEEDS_STAND_IN.test(name)
  }

  openStandIns () {
    this.standIns ??= new StandIns(this.text)
    return this.standIns
  }

  /**
   * A name may get several, one after another, as all keys are forgotten at
   * once. Then the last of them in an object has the value.
   */
  standInOf (name) {
    let standIn = this.known.get(name)
    if (standIn === undefined) {
      standIn = this.openStandIns().create(name)
      this.known.set(name, standIn)
    }
    return standIn
  }

  /**
   * Where a text is not JSON, such as `{"a"\u003a1,":":2}`, the quote before a
   * key may be the end of a string. Only a key that begins with what may follow a
   * string can make JSON of it.
   */
  finish () {
    if (this.mayHideFault && !isJson(this.text)) return null
    return { text: this.written + this.text.slice(this.done), standIns: this.standIns }
  }
}

function isJson (text) {
  try {
    parse(text)
    return true
  } catch {
    return false
  }
}

/** @param {number} start in a string, and not between a backslash and what it escapes */
function findClosingQuote (text, start) {
  let at = start
  for (;;) {
    for (let nearby = at + NEARBY; at < nearby; at++) {
      const code = text.charCodeAt(at)
      if (code === QUOTE) return at
      if (code !== BACKSLASH) continue
      if (text.charCodeAt(++at) === LOWER_U) at += 4
      nearby = at + NEARBY
    }
    const quote = text.indexOf('"', at)
    if (!isEscaped(text, quote)) return quote
    at = quote + 1
  }
}

/** @returns {number} -1 if there is none */
function findOpeningQuote (text, backslash) {
  for (let at = backslash - 1; at >= backslash - NEARBY; at--) {
    if (text.charCodeAt(at) === QUOTE) return at
  }
  return text.lastIndexOf('"', backslash)
}

/** Whether the string that ends before this index is a key. */
function isColonNext (text, start) {
  let at = start
  while (at < start + NEARBY && isBlank(text.charCodeAt(at))) at++
  if (at < start + NEARBY) return text.charCodeAt(at) === COLON
  const quote = text.indexOf('"', at) // a colon behind a value has another string before it
  return text.slice(at, quote === -1 ? text.length : quote).includes(':')
}

/**
 * @param {string} source with its quotes
 * @param {number} backslash the first one
 * @returns {string | null} null if it is not a JSON string
 */
function decode (source, backslash) {
  if (source.length > LONG) return decodeLong(source)
  if (CONTROL.test(source)) return null
  const close = source.length - 1
  let key = source.slice(1, backslash)
  let at = backslash
  while (at < close) {
    if (source.charCodeAt(at) !== BACKSLASH) {
      key += source[at++]
      continue
    }
    const isCode = source.charCodeAt(at + 1) === LOWER_U
    const character = isCode ? characterOf(source, at + 2) : ESCAPES[source[at + 1]]
    if (character === undefined) return null
    key += character
    at += isCode ? 6 : 2
  }
  return key
}

function decodeLong (source) {
  try {
    return parse(source)
  } catch {
    return null
  }
}

/** @returns {string | undefined} the character that four digits name */
function characterOf (source, start) {
  let code = 0
  for (let at = start; at < start + 4; at++) code = code * 16 + DIGITS[source.charCodeAt(at)]
  return code >= 0 ? String.fromCharCode(code) : undefined
}

module.exports = rewriteKeys
