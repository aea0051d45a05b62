'use strict'

// JSON text (RFC 8259) as UTF-8, piece by piece -> the value that JSON.parse
// makes of all of it. The bytes are looked at once, for strings, brackets and
// commas; then JSON.parse makes the values, each time of as many whole children
// of one container as there are. Only containers that are open where a step
// ends are put together here (spine.js).

const { Spine } = require('./spine')
const { PIECE, wholeCharacters } = require('./utf8')

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

const LONG = 64 * 1024 // bytes
const SHORT = 32 // bytes
const LEVELS = 256 // most containers to open, or to close, by hand in a step; each takes about a microsecond

const STRUCTURAL = new Uint8Array(256) // which bytes mean something outside of strings
for (const byte of [QUOTE, COMMA, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE]) STRUCTURAL[byte] = 1

// Where the containers that opened in this step did so, and where their last
// commas are; [0] is the innermost one that was open before. Nothing in these
// outlives a step, so all parsers share them.
const opens = new Int32Array(LEVELS + 1)
const commas = new Int32Array(LEVELS + 1)

/**
 * Between two steps, all before `start` is parsed. What follows is, by the
 * first of these that is so: the rest of a string of which `longString` has the
 * beginning; blanks, or a comma, or a bracket that closes (`isClosed`); children
 * of the innermost container. Up to `at` it has been looked at.
 */
class SliceParser {
  /**
   * @param {object} [options]
   * @param {(text: string) => void} [options.inspect] gets to see each text
   *   that JSON.parse does, and each name that it does not
   * @param {number} [options.depth=Infinity] deepest nesting
   * @param {() => Error} [options.tooDeep] makes the error of what is deeper
   * @param {number} [options.long] bytes of a string from which on it is taken apart
   */
  constructor ({ inspect = nothing, depth = Infinity, tooDeep, long = LONG } = {}) {
    this.inspect = inspect
    this.depth = depth
    this.tooDeep = tooDeep
    this.long = long
    this.spine = new Spine()
    this.buffer = Buffer.allocUnsafeSlow(2 * PIECE)
    this.bytes = this.buffer.subarray(0, 0) // as much of it as is in use
    this.origin = 0 // of these in the whole text
    this.at = 0
    this.start = 0
    this.isClosed = false // the last child of the innermost container is put together
    this.inString = false
    this.quote = 0 // that opened it
    this.longString = null
  }

  /**
   * More of the text; to be called when all that was there before is done.
   *
   * @param {Uint8Array} source
   * @param {number} from
   * @param {number} to
   */
  append (source, from, to) {
    const { start, bytes } = this
    const rest = bytes.length - start
    const length = rest + to - from
    if (length > this.buffer.length) {
      this.buffer = Buffer.allocUnsafeSlow(Math.max(length, 2 * this.buffer.length))
      this.buffer.set(bytes.subarray(start))
    } else {
      this.buffer.copyWithin(0, start, bytes.length)
    }
    this.buffer.set(source.subarray(from, to), rest)
    this.bytes = this.buffer.subarray(0, length)
    this.origin += start
    this.at -= start
    this.quote -= start
    this.start = 0
  }

  /**
   * A part of what was appended, in a fraction of a millisecond.
   *
   * @returns {boolean} whether all of it is done
   * @throws {SyntaxError} of whatever message; see message.js
   * @throws {Refusal}
   */
  step () {
    this.settle(this.scan())
    return this.at >= this.bytes.length
  }

  /** @returns {any} the value */
  end () {
    if (this.inString || this.spine.depth > 0) fail()
    const { spine, bytes } = this
    if (this.isClosed) this.expectBlank(bytes.length)
    else spine.add(this.parse(this.textTo(bytes.length)))
    return spine.end()
  }

  /** @returns {number} how many of the containers opened in this step are still open */
  scan () {
    const { bytes, spine } = this
    const { length } = bytes
    let level = 0
    let closed = 0
    commas[0] = -1
    let at = this.inString ? this.leaveString(this.at) : this.at
    for (; at < length; at++) {
      while (at < length && STRUCTURAL[bytes[at]] === 0) at++ // in a loop of its own, which is faster by a quarter
      if (at >= length) break
      const byte = bytes[at]
      if (byte === QUOTE) {
        const soon = Math.min(length, at + SHORT)
        let end = at + 1
        while (end < soon && bytes[end] !== QUOTE && bytes[end] !== BACKSLASH) end++
        if (end < soon && bytes[end] === QUOTE) { // as most strings
          at = end
        } else {
          this.inString = true
          this.quote = at
          at = this.leaveString(end) - 1
        }
      } else if (byte === COMMA) {
        if (level === 0 && this.isClosed) this.pass(at)
        else commas[level] = at
      } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        if (level === 0 && this.isClosed) fail()
        if (spine.depth + level >= this.depth) throw new Refusal(this.tooDeep())
        if (level === LEVELS) break
        opens[++level] = at
        commas[level] = -1
      } else if (level > 0) {
        level--
      } else {
        if (closed++ === LEVELS) break
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
        this.inString = false
        if (this.longString !== null) this.finishString(at)
        return at + 1
      }
    }
    return at
  }

  /** Past a comma behind a child that was put together. */
  pass (comma) {
    if (this.spine.depth === 0) fail()
    this.expectBlank(comma)
    this.isClosed = false
    this.start = comma + 1
  }

  /** The end of the innermost container. */
  close (at, bracket) {
    const { spine } = this
    if (spine.depth === 0 || bracket !== (spine.hasNames ? CLOSE_BRACE : CLOSE_BRACKET)) fail()
    if (this.isClosed) this.expectBlank(at)
    else if (!this.isBlank(at)) this.takeRun(at)
    else if (!spine.isFirst) fail() // a comma before it
    spine.close()
    this.isClosed = true
    this.start = at + 1
  }

  /** Takes whatever is whole, so that its bytes are needed no more. */
  settle (level) {
    for (let i = 1; i <= level; i++) {
      if (commas[i - 1] !== -1) this.takeRun(commas[i - 1])
      this.spine.open(this.bytes[opens[i]] === OPEN_BRACKET, this.nameBefore(opens[i]))
      this.start = opens[i] + 1
    }
    if (commas[level] !== -1) this.takeRun(commas[level])
    if (this.inString) this.takeString()
    else this.skipBlanks()
  }

  /** Children up to a comma or to the end of their container. */
  takeRun (end) {
    if (this.spine.depth === 0 || this.isBlank(end)) fail() // no commas there, and no child before one here
    const text = this.textTo(end)
    this.spine.addRun(this.parse(this.spine.hasNames ? `{${text}}` : `[${text}]`))
    this.start = end + 1
  }

  /** A part of a string, if it is a value and long. */
  takeString () {
    const { bytes, quote } = this
    if (this.longString === null) {
      if (bytes.length - quote < this.long || this.isName(quote)) return
      if (this.isClosed) fail()
      this.spine.expect(this.nameBefore(quote))
      this.longString = ''
      this.start = quote + 1
    }
    const cut = stringCut(bytes, this.start)
    this.longString += this.stringTo(cut)
    this.start = cut
  }

  finishString (quote) {
    this.spine.add(this.longString + this.stringTo(quote))
    this.isClosed = true
    this.longString = null
    this.start = quote + 1
  }

  stringTo (end) {
    return JSON.parse(`"${this.textTo(end)}"`)
  }

  isName (quote) {
    return this.spine.hasNames && this.isBlank(quote)
  }

  /** The name of what begins there, if the innermost container has names. */
  nameBefore (end) {
    if (this.spine.hasNames) {
      const name = nameIn(this.bytes, this.start, end)
      this.inspect(name)
      return name
    }
    this.expectBlank(end)
    return null
  }

  skipBlanks () {
    const { bytes, at } = this
    while (this.start < at && isBlankByte(bytes[this.start])) this.start++
    if (this.isClosed && this.start < at) fail()
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

  textTo (end) {
    return this.bytes.toString('utf8', this.start, end)
  }

  parse (text) {
    this.inspect(text)
    return JSON.parse(text)
  }
}

function nothing () {}

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

/** Of the text `"name":`, which may have blanks around. */
function nameIn (bytes, start, end) {
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

module.exports = { Refusal, SliceParser }
