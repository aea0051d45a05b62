'use strict'

// Writes the keys of a JSON text without backslashes: an engine that confuses
// keys does so only where one is written with a backslash.

const { allocate, stringOf, unitsOf } = require('./code-units')
const { SHIFT, StandIns } = require('./stand-ins')
const { BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, ESCAPES, LOWER_U } = require('./text')
const { QUOTE, isBlank, isEscaped, readHex } = require('./text')

// Numbers of characters.
const NEARBY = 8 // to look at this many takes less time than to call `indexOf`
const LONG = 64 // to copy more one by one takes longer than to let the engine join slices

/**
 * @param {string} text
 * @returns {{ text: string, standIns: StandIns | null } | null} the same JSON
 *   without backslashes in keys; null if no key has one
 * @throws {SyntaxError} with any message, if the text is not JSON; some of those that are not are returned
 */
function rewriteKeys (text) {
  const first = text.indexOf('\\')
  const start = text.lastIndexOf('"', first)
  if (first === -1 || start === -1) return null
  const part = text.slice(start, findEnd(text, first))
  const units = unitsOf(part)
  let rewriter = null
  let end = 0 // of the last string
  for (let backslash = first - start; backslash !== -1; backslash = part.indexOf('\\', end)) {
    const close = findClosingQuote(part, units, backslash)
    if (close === -1) return null
    if (isColonNext(text, start + close + 1)) {
      rewriter ??= new Rewriter(text, start, part, units)
      let open = backslash
      while (units[open] !== QUOTE) open-- // the first unit is one
      if (open < end) rejectText()
      rewriter.write(open, backslash, close)
    }
    end = close + 1
  }
  return rewriter === null ? null : rewriter.toResult()
}

/** Copies code units: to join many short strings takes longer, and more memory. */
class Rewriter {
  /**
   * @param {number} start index in the text of `part`
   * @param {string} part of the text that has all backslashes
   * @param {Uint8Array | Uint16Array} source its units
   */
  constructor (text, start, part, source) {
    this.text = text
    this.start = start
    this.part = part
    this.source = source
    this.read = 0
    this.result = text.slice(0, start) // the new text so far; the units in `target` follow
    this.standIns = new StandIns(text)
    // `"\n":` takes two marks and a character for two: with one mark, 6 characters for 5.
    const length = source.length * (this.standIns.mark.length + 1) * 0.6
    this.target = allocate(Math.ceil(length), source instanceof Uint16Array)
    this.written = 0
    this.outside = -1 // an index in `source` that is known to be outside of strings; -1 before one is known
  }

  /**
   * @param {number} open the first quote of a key
   * @param {number} backslash the first one in it
   * @param {number} close its second quote
   */
  write (open, backslash, close) {
    this.copyUntil(backslash)
    const { source, standIns, standIns: { mark } } = this
    let { target, written } = this
    let isStandIn = false
    let begin = source[open + 1]
    for (let read = backslash; read < close;) {
      let code = source[read++]
      if (code === BACKSLASH) {
        const escape = source[read++]
        code = escape === LOWER_U ? readHex(source, read) : escape < 0x80 ? ESCAPES[escape] : -1
        if (code < 0) rejectText()
        if (escape === LOWER_U) read += 4
        if (begin === BACKSLASH) begin = code
        if (standIns.isNeeded(code)) {
          isStandIn = true
          written = writeMark(mark, target, written)
          code += SHIFT
        } else if (code > 0xFF && !(target instanceof Uint16Array)) {
          target = this.widen(written)
          written = 0
        }
      }
      target[written++] = code
    }
    if (isStandIn) {
      written = writeMark(mark, target, written)
      standIns.count++
    }
    if (mayFollowString(begin)) this.assertOpens(open, close)
    this.read = close
    this.written = written
  }

  copyUntil (end) {
    const { source, target, read, written } = this
    const length = end - read
    if (length > LONG) {
      this.flush()
      this.result += this.text.slice(this.start + read, this.start + end)
    } else {
      for (let index = 0; index < length; index++) target[written + index] = source[read + index]
      this.written += length
    }
    this.read = end
  }

  widen (written) {
    this.written = written
    this.flush()
    this.target = new Uint16Array(this.target.length)
    return this.target
  }

  flush () {
    if (this.written > 0) this.result += stringOf(this.target, this.written)
    this.written = 0
  }

  /**
   * Where a text is not JSON, such as `{"a"\u003a1,":":2}`, the quote before a
   * key may be the end of a string. Only a key that begins with what may follow a
   * string can make JSON of it: so the strings before it are counted.
   */
  assertOpens (open, close) {
    const { part, source, start, text } = this
    let at = this.outside
    if (at === -1) at = isInString(text, start) ? open + 1 : 0
    while (at < open) {
      if (source[at++] === QUOTE) at = findClosingQuote(part, source, at) + 1 // nothing escapes `open`
    }
    if (at !== open) rejectText()
    this.outside = close + 1
  }

  toResult () {
    const { text, standIns } = this
    this.copyUntil(this.source.length)
    this.flush()
    const rest = text.slice(this.start + this.read)
    return { text: this.result + rest, standIns: standIns.count > 0 ? standIns : null }
  }
}

/** Of a text that has no backslash before `end`. */
function isInString (text, end) {
  let isInside = false
  for (let at = 0; at < end; at++) if (text.charCodeAt(at) === QUOTE) isInside = !isInside
  return isInside
}

function writeMark (mark, target, start) {
  for (let index = 0; index < mark.length; index++) target[start + index] = mark.charCodeAt(index)
  return start + mark.length
}

/** @returns {number} an index behind the last string with a backslash, and not far behind; `lastIndexOf` is slow */
function findEnd (text, first) {
  let last = first
  let end = text.length
  while (end - last > LONG) {
    const middle = (last + end) >>> 1
    const next = text.indexOf('\\', middle)
    if (next === -1) end = middle
    else last = next
  }
  const quote = text.indexOf('"', end + 1) // at `end` may be one that is escaped
  return (quote === -1 ? end : quote) + 1
}

function rejectText () {
  throw new SyntaxError('not JSON')
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

/** Whether the string that ends before this index is a key. */
function isColonNext (text, start) {
  const next = text.charCodeAt(start)
  if (!isBlank(next)) return next === COLON
  const quote = text.indexOf('"', start) // a colon behind a value has another string before it
  return text.slice(start, quote === -1 ? text.length : quote).includes(':')
}

function mayFollowString (code) {
  return isBlank(code) || code === COLON || code === COMMA || code === CLOSE_BRACKET || code === CLOSE_BRACE
}

module.exports = rewriteKeys
