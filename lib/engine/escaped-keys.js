'use strict'

// Writes the keys of a JSON text without backslashes: an engine that confuses
// keys does so only where one is written with a backslash.

const { ESCAPE, SHIFT, StandIns } = require('./stand-ins')
const { BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, LOWER_U } = require('./text')
const { QUOTE, SPACE, isBlank, isEscaped } = require('./text')
const { allocateLike, stringOf, unitsOf } = require('./units')

const { parse } = JSON // an app that replaces JSON.parse is asked once, for the text that is rewritten

const NEARBY = 8 // characters; to look at this many takes less time than to call `indexOf`
const FEW = 64 // characters; to copy this many takes less time than to call `set`
const SHORTEST = 5 // characters; `"\n":`

const ESCAPES = new Int8Array(0x80).fill(-1) // by character code
for (const escape of '"\\/bfnrt') ESCAPES[escape.charCodeAt(0)] = parse(`"\\${escape}"`).charCodeAt(0)

/**
 * @param {string} text
 * @returns {{ text: string, standIns: StandIns | null } | null} the same JSON
 *   without backslashes in keys; null if no key has one, or if it is not JSON
 */
function rewriteKeys (text) {
  let backslash = text.indexOf('\\')
  if (backslash === -1) return null
  const units = unitsOf(text)
  let rewriter = null
  while (backslash !== -1) {
    const close = findClosingQuote(text, units, backslash)
    if (close === -1) return null
    if (isColonNext(text, units, close + 1)) {
      rewriter ??= new Rewriter(text, units)
      if (!rewriter.write(findOpeningQuote(text, units, backslash), close)) return null
    }
    backslash = findBackslash(text, units, close + 1)
  }
  return rewriter === null ? null : rewriter.finish()
}

/** Copies the text by code units: to slice and to join it takes longer where it has many such keys. */
class Rewriter {
  constructor (text, units) {
    this.text = text
    this.source = units
    this.standIns = new StandIns(text)
    this.hasStandIns = false
    this.mayHideFault = false
    this.read = 0
    this.written = 0
    this.allocate()
  }

  /** A stand-in is longer than its source by the prefix, and by each ESCAPE in the text, if there is one. */
  allocate () {
    const { text, source, standIns: { prefix } } = this
    const prefixes = Math.ceil(text.length / SHORTEST) * prefix.length
    const length = text.length + prefixes + (prefix.length > 1 ? text.length : 0)
    this.isWide = source instanceof Uint16Array
    this.target = allocateLike(source, length)
  }

  widen () {
    const { text, target, written } = this
    this.source = unitsOf(text, true)
    this.allocate()
    this.target.set(target.subarray(0, written))
  }

  /**
   * @param {number} open the quotes of a key with a backslash
   * @returns {boolean} false: the text is not JSON
   */
  write (open, close) {
    if (open < this.read) return false
    this.copyUntil(open + 1)
    const start = this.written
    if (!this.writeKey(close, false)) return false
    if (mayFollowString(this.target[start])) this.mayHideFault = true
    return true
  }

  copyUntil (end) {
    const { source, target } = this
    let { read, written } = this
    if (end - read > FEW) {
      target.set(source.subarray(read, end), written)
      written += end - read
    } else {
      while (read < end) target[written++] = source[read++]
    }
    this.read = end
    this.written = written
  }

  /** Writes the name, or a stand-in if it cannot stand raw. */
  writeKey (close, isStandIn) {
    const { source, target } = this
    let { read, written } = this
    if (isStandIn) {
      for (const character of this.standIns.prefix) target[written++] = character.charCodeAt(0)
    }
    for (let plain = 0; read < close;) {
      let code = source[read++]
      const isEscape = code === BACKSLASH
      if (isEscape) {
        const escape = source[read++]
        code = escape === LOWER_U ? codeOf(source, read) : ESCAPES[escape & 0x7F]
        if (code < 0 || escape > 0x7F) return false
        if (escape === LOWER_U) read += 4
        if (code > 0xFF && !this.isWide) {
          this.widen()
          return this.writeKey(close, isStandIn)
        }
        if (!isStandIn && needsEscape(code)) return this.writeKey(close, true)
      }
      if (isStandIn && (code === ESCAPE || (isEscape && needsEscape(code)))) {
        target[written++] = ESCAPE
        code += SHIFT
      }
      target[written++] = code
      plain = isEscape ? 0 : plain + 1
      if (plain === FEW) {
        const end = this.findEndOfRun(read, close)
        target.set(source.subarray(read, end), written)
        written += end - read
        read = end
        plain = 0
      }
    }
    if (!isStandIn && this.isLikeStandIn(written)) return this.writeKey(close, true)
    this.read = read
    this.written = written
    this.hasStandIns ||= isStandIn
    return true
  }

  /** @returns {number} the index of the next character that may have to be written otherwise */
  findEndOfRun (start, close) {
    if (this.standIns.prefix.length > 1) return start // the text has ESCAPE
    const backslash = this.text.indexOf('\\', start)
    return backslash === -1 || backslash > close ? close : backslash
  }

  /** A name that begins with the prefix would be taken for a stand-in. */
  isLikeStandIn (end) {
    const { target, written, standIns: { prefix } } = this
    let length = 0
    while (written + length < end && target[written + length] === prefix.charCodeAt(length)) length++
    return length >= prefix.length
  }

  /**
   * Where a text is not JSON, such as `{"a"\u003a1,":":2}`, the quote before a
   * key may be the end of a string. Only a key that begins with what may follow a
   * string can make JSON of it.
   */
  finish () {
    if (this.mayHideFault && !isJson(this.text)) return null
    this.copyUntil(this.text.length)
    return { text: stringOf(this.target, this.written), standIns: this.hasStandIns ? this.standIns : null }
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

function findBackslash (text, units, start) {
  for (let at = start; at < start + NEARBY; at++) {
    if (units[at] === BACKSLASH) return at
  }
  return text.indexOf('\\', start + NEARBY)
}

/** @param {number} start in a string, and not between a backslash and what it escapes */
function findClosingQuote (text, units, start) {
  let at = start
  for (;;) {
    for (let nearby = at + NEARBY; at < nearby; at++) {
      const code = units[at]
      if (code === QUOTE) return at
      if (code !== BACKSLASH) continue
      if (units[++at] === LOWER_U) at += 4
      nearby = at + NEARBY
    }
    const quote = text.indexOf('"', at)
    if (!isEscaped(text, quote)) return quote
    at = quote + 1
  }
}

/** @returns {number} -1 if there is none */
function findOpeningQuote (text, units, backslash) {
  for (let at = backslash - 1; at >= backslash - NEARBY; at--) {
    if (units[at] === QUOTE) return at
  }
  return text.lastIndexOf('"', backslash)
}

/** Whether the string that ends before this index is a key. */
function isColonNext (text, units, start) {
  let at = start
  while (at < start + NEARBY && isBlank(units[at])) at++
  if (at < start + NEARBY) return units[at] === COLON
  const quote = text.indexOf('"', at) // a colon behind a value has another string before it
  return text.slice(at, quote === -1 ? text.length : quote).includes(':')
}

function needsEscape (code) {
  return code < SPACE || code === QUOTE || code === BACKSLASH
}

function mayFollowString (code) {
  return code === SPACE || code === COLON || code === COMMA || code === CLOSE_BRACKET || code === CLOSE_BRACE
}

/** @returns {number} the character that four digits name; below 0 if they are none */
function codeOf (units, start) {
  const high = digitOf(units[start]) << 12 | digitOf(units[start + 1]) << 8
  return high | digitOf(units[start + 2]) << 4 | digitOf(units[start + 3])
}

function digitOf (code) {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x61 + 10 : -1
}

module.exports = rewriteKeys
