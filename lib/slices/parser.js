'use strict'

// JSON text (RFC 8259) as UTF-8, piece by piece -> the value that JSON.parse
// makes of all of it. The bytes of a piece are looked at once, for strings,
// brackets and commas; then JSON.parse makes the values, each time of as many
// whole children of one container as there are. Only containers that are open
// where a piece ends are put together here.

const { OpenArray, OpenObject } = require('./spine')
const { wholeCharacters } = require('./utf8')

const TAB = 0x09
const LF = 0x0A
const CR = 0x0D
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

const PIECE = 32 * 1024 // bytes; JSON.parse takes a fraction of a millisecond for it
const LONG = 64 * 1024 // bytes
const SHORT = 32 // bytes

const STRUCTURAL = new Uint8Array(256) // which bytes mean something outside of strings
for (const byte of [QUOTE, COMMA, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE]) STRUCTURAL[byte] = 1

// Where the containers that opened in this piece did so, and where their last
// commas are; [0] is the innermost one that was open before. Nothing in these
// outlives a call, so all parsers share them.
const opens = new Int32Array(PIECE + 1)
const commas = new Int32Array(PIECE + 1)

class SliceParser {
  /**
   * @param {object} [options]
   * @param {(text: string) => any} [options.parse] in place of JSON.parse
   * @param {(key: string, value: any) => boolean} [options.admits] whether a
   *   property is to be set that `parse` does not see; may throw
   * @param {number} [options.depth=Infinity] deepest nesting
   * @param {() => Error} [options.tooDeep] makes the error of what is deeper
   * @param {number} [options.long] bytes of a string from which on it is taken apart
   */
  constructor ({ parse = JSON.parse, admits = always, depth = Infinity, tooDeep, long = LONG } = {}) {
    this.parse = parse
    this.admits = admits
    this.depth = depth
    this.tooDeep = tooDeep
    this.long = long
    this.spine = [new OpenArray(null)] // open containers, the innermost last; the first holds the value
    this.window = Buffer.allocUnsafeSlow(2 * PIECE)
    this.bytes = this.window.subarray(0, 0) // what is not parsed yet, from `start` on
    this.origin = 0 // of the window in the whole text, in bytes
    this.at = 0 // looked at so far
    this.start = 0
    this.isFirst = true // no child of the innermost container yet
    this.isClosed = false // its last child is put together: only blanks may follow, and a comma
    this.isString = false // within a string
    this.quote = 0 // that opened it
    this.string = null // what there is of a long one
    this.stringKey = null
  }

  /**
   * @param {Uint8Array} source
   * @param {number} from
   * @param {number} to at most PIECE behind `from`
   * @throws {SyntaxError} of whatever message; see message.js
   */
  write (source, from, to) {
    this.append(source, from, to)
    this.settle(this.scan())
  }

  /** @returns {any} the value */
  end () {
    if (this.isString || this.spine.length > 1) fail()
    const { spine: [root], start, bytes } = this
    if (this.isClosed) this.expectBlank(bytes.length)
    else root.add(null, this.parse(this.textOf(start, bytes.length)))
    return root.close()[0]
  }

  append (source, from, to) {
    const { start, bytes } = this
    const rest = bytes.length - start
    const length = rest + to - from
    if (length > this.window.length) {
      this.window = Buffer.allocUnsafeSlow(Math.max(length, 2 * this.window.length))
      this.window.set(bytes.subarray(start))
    } else {
      this.window.copyWithin(0, start, bytes.length)
    }
    this.window.set(source.subarray(from, to), rest)
    this.bytes = this.window.subarray(0, length)
    this.origin += start
    this.at -= start
    this.quote -= start
    this.start = 0
  }

  /** @returns {number} how many of the containers opened in this piece are still open */
  scan () {
    const { bytes } = this
    const { length } = bytes
    let level = 0
    commas[0] = -1
    let at = this.isString ? this.leaveString(this.at) : this.at
    for (; at < length; at++) {
      const byte = bytes[at]
      if (STRUCTURAL[byte] === 0) continue
      if (byte === QUOTE) {
        const soon = Math.min(length, at + SHORT)
        let end = at + 1
        while (end < soon && bytes[end] !== QUOTE && bytes[end] !== BACKSLASH) end++
        if (end < soon && bytes[end] === QUOTE) { // as most strings
          at = end
        } else {
          this.isString = true
          this.quote = at
          at = this.leaveString(end) - 1
        }
      } else if (byte === COMMA) {
        if (level > 0 || !this.pass(at)) commas[level] = at
      } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        if (level === 0 && this.isClosed) fail()
        if (this.spine.length + level > this.depth) throw new Refusal(this.tooDeep())
        opens[++level] = at
        commas[level] = -1
      } else if (level > 0) {
        level--
      } else {
        this.close(at, byte)
        commas[0] = -1
      }
    }
    this.at = at
    return level
  }

  /**
   * From within a string to behind its closing quote, or to the end; behind
   * that, if an escape goes on there.
   */
  leaveString (at) {
    const { bytes } = this
    const { length } = bytes
    while (at < length) {
      // To call indexOf takes longer than to look at some bytes here.
      const soon = Math.min(length, at + SHORT)
      while (at < soon && bytes[at] !== QUOTE && bytes[at] !== BACKSLASH) at++
      if (at === soon) at = farQuote(bytes, at)
      else if (bytes[at] === BACKSLASH) at += 2
      if (at < length && bytes[at] === QUOTE) {
        this.isString = false
        if (this.string !== null) this.finishString(at)
        return at + 1
      }
    }
    return at
  }

  /** Past a comma of the innermost container; whether its child was put together. */
  pass (comma) {
    if (this.spine.length === 1) fail()
    if (!this.isClosed) return false
    this.expectBlank(comma)
    this.isClosed = false
    this.start = comma + 1
    return true
  }

  /** The end of the innermost container. */
  close (at, bracket) {
    const { spine } = this
    const container = spine.at(-1)
    if (spine.length === 1 || bracket !== (container instanceof OpenArray ? CLOSE_BRACKET : CLOSE_BRACE)) fail()
    if (this.isClosed) this.expectBlank(at)
    else if (!this.isBlank(at)) this.takeRun(at)
    else if (!this.isFirst) fail() // a comma before it
    spine.pop()
    this.add(container.key, container.close())
    this.start = at + 1
  }

  /** Adds what is put together to the innermost container. */
  add (key, value) {
    if (key === null || this.admits(key, value)) this.spine.at(-1).add(key, value)
    this.isFirst = false
    this.isClosed = true
  }

  /** Takes whatever is whole, so that its bytes are needed no more. */
  settle (level) {
    for (let i = 1; i <= level; i++) {
      if (commas[i - 1] !== -1) this.takeRun(commas[i - 1])
      this.descend(opens[i])
    }
    if (commas[level] !== -1) this.takeRun(commas[level])
    if (this.isString) this.takeString()
    else this.skipBlanks()
  }

  descend (open) {
    const key = this.keyBefore(open)
    this.spine.push(this.bytes[open] === OPEN_BRACKET ? new OpenArray(key) : new OpenObject(key))
    this.start = open + 1
    this.isFirst = true
  }

  /** Children up to a comma or to the end of their container. */
  takeRun (end) {
    if (this.isBlank(end)) fail() // no child before a comma
    const container = this.spine.at(-1)
    const text = this.textOf(this.start, end)
    container.addRun(this.parse(container instanceof OpenArray ? `[${text}]` : `{${text}}`))
    this.start = end + 1
    this.isFirst = false
  }

  /** A part of a string, if it is a value and long. */
  takeString () {
    const { bytes, quote } = this
    if (this.string === null) {
      if (bytes.length - quote < this.long || this.isKey(quote)) return
      if (this.isClosed) fail()
      this.stringKey = this.keyBefore(quote)
      this.string = ''
      this.start = quote + 1
    }
    const cut = stringCut(bytes, this.start)
    this.string += this.stringOf(cut)
    this.start = cut
  }

  finishString (quote) {
    const value = this.string + this.stringOf(quote)
    this.string = null
    this.add(this.stringKey, value)
    this.start = quote + 1
  }

  stringOf (end) {
    return JSON.parse(`"${this.textOf(this.start, end)}"`)
  }

  isKey (quote) {
    return this.spine.at(-1) instanceof OpenObject && this.isBlank(quote)
  }

  /** The name of what begins there, if the innermost container has names. */
  keyBefore (end) {
    if (this.spine.at(-1) instanceof OpenObject) return keyOf(this.bytes, this.start, end)
    this.expectBlank(end)
    return null
  }

  skipBlanks () {
    const { bytes } = this
    while (this.start < bytes.length && isBlankByte(bytes[this.start])) this.start++
    if (this.isClosed && this.start < bytes.length) fail()
  }

  isBlank (end) {
    for (let i = this.start; i < end; i++) {
      if (!isBlankByte(this.bytes[i])) return false
    }
    return true
  }

  expectBlank (end) {
    if (!this.isBlank(end)) fail()
  }

  textOf (start, end) {
    return this.bytes.toString('utf8', start, end)
  }
}

function always () {
  return true
}

function isBlankByte (byte) {
  return byte === SPACE || byte === LF || byte === CR || byte === TAB
}

/** The next quote that is not escaped; if there is none, where to go on. */
function farQuote (bytes, at) {
  const found = bytes.indexOf(QUOTE, at)
  const end = found === -1 ? bytes.length : found
  let before = end
  while (before > at && bytes[before - 1] === BACKSLASH) before--
  return (end - before) % 2 === 0 ? end : end + 1
}

/** Of the text `"key":`, which may have blanks around. */
function keyOf (bytes, start, end) {
  while (isBlankByte(bytes[start])) start++
  let close = start + 1
  while (close < end && isPlain(bytes[close])) close++
  if (bytes[start] === QUOTE && bytes[close] === QUOTE && bytes[close + 1] === COLON && close + 2 === end) {
    return bytes.latin1Slice(start + 1, close)
  }
  const text = bytes.toString('utf8', start, end)
  return Object.keys(JSON.parse(`{${text}""}`))[0]
}

/** Stands for itself in a string. */
function isPlain (byte) {
  return byte >= SPACE && byte < 0x7F && byte !== QUOTE && byte !== BACKSLASH
}

/** Where a string can be cut: in no escape, and in no character of several bytes. */
function stringCut (bytes, start) {
  const { length } = bytes
  for (let i = length - 1; i >= start && i >= length - 5; i--) {
    if (bytes[i] !== BACKSLASH) continue
    let before = i
    while (before > start && bytes[before - 1] === BACKSLASH) before--
    const isEscape = (i - before) % 2 === 0
    const isWhole = i + (bytes[i + 1] === LOWER_U ? 6 : 2) <= length
    if (isEscape && !isWhole) return i
    break
  }
  return start + wholeCharacters(bytes.subarray(start))
}

function fail () {
  throw new SyntaxError('not JSON')
}

/** Thrown for a text that may be JSON, but is not to be parsed. */
class Refusal {
  /** @param {Error} reason */
  constructor (reason) {
    this.reason = reason
  }
}

module.exports = { PIECE, Refusal, SliceParser }
