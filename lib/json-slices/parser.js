'use strict'

const Input = require('./input')
const OpenContainers = require('./open-containers')
const { createEngineParse } = require('../json-keys/json')
const { CLOSE_BRACE, CLOSE_BRACKET, COMMA, OPEN_BRACKET, QUOTE } = require('../json-keys/text')
const { endOfPart, findStringEnd, isOpening, nextToken } = require('./tokens')

const parseJson = createEngineParse()

const LONG_STRING = 64 * 1024 // bytes
const MAX_LEVELS_PER_STEP = 256 // containers opened, or closed, one at a time

// Intentionally module-level: 2 KB that all parsers share, as steps never run at
// the same time and nothing in here outlives one. By the level of the containers
// opened in this step: the index of the bracket that opened one, and of the last
// comma in it, or -1. Level 0 is the container that was innermost before.
const openings = new Int32Array(MAX_LEVELS_PER_STEP + 1)
const lastCommas = new Int32Array(MAX_LEVELS_PER_STEP + 1)

/**
 * Parses JSON text (RFC 8259) in UTF-8 in steps of a fraction of a millisecond,
 * to the value that JSON.parse returns for the whole text:
 *
 *     for each piece of the bytes:
 *       parser.append(piece)
 *       while (!parser.step());
 *     value = parser.end()
 *
 * A step scans bytes for strings, brackets and commas. Then JSON.parse makes the
 * values, of all the complete children of one container at a time. Only those
 * containers that are open where a step ends are put together here.
 *
 * Between two steps, all before `input.start` is parsed, and all before `at` is
 * scanned. What follows `input.start` is
 * - if `longString` is not null: the rest of the string that it begins;
 * - or else, if `isAfterChild`: a comma, a closing bracket, or the end;
 * - or else children of the innermost container.
 */
class SliceParser {
  /**
   * @param {object} [options]
   * @param {(text: string) => void} [options.inspect] called with every text
   *   that may contain names
   * @param {number} [options.depth=Infinity] deepest nesting that is accepted
   * @param {() => Error} [options.tooDeep] creates the error for deeper
   *   nesting; not a SyntaxError, which means that the text is not JSON
   * @param {number} [options.longStringLength=65536] bytes; string values of at
   *   least this length are parsed in parts
   */
  constructor ({ inspect = () => {}, depth = Infinity, tooDeep, longStringLength = LONG_STRING } = {}) {
    this.inspect = inspect
    this.maxDepth = depth
    this.tooDeep = tooDeep
    this.longStringLength = longStringLength
    this.containers = new OpenContainers()
    this.input = new Input()
    this.at = 0 // index of the next byte to scan
    this.isAfterChild = false // the last child is complete, but no comma has followed
    this.inString = false // whether the bytes end within a string
    this.quote = 0 // index of the quote that opened that string
    this.longString = null // the beginning of a string that is parsed in parts
  }

  /** Adds more of the text (see Input.append), when `step` has returned true. */
  append (piece) {
    const dropped = this.input.append(piece)
    this.at -= dropped
    this.quote -= dropped
  }

  /**
   * @returns {boolean} whether there is nothing left to do without more bytes
   * @throws {SyntaxError} with any message; error-message.js finds the right one
   * @throws {Error} what `tooDeep` creates
   */
  step () {
    this.parseComplete(this.scan())
    return this.at >= this.input.bytes.length
  }

  /**
   * @returns {any} the value of the whole text
   * @throws {SyntaxError} as `step` does
   */
  end () {
    const { containers, input } = this
    if (this.inString || containers.depth > 0) rejectText()
    if (this.isAfterChild) this.expectBlankTo(input.bytes.length)
    else containers.add(this.parse(input.textTo(input.bytes.length)))
    return containers.result()
  }

  /** @returns {number} how many of the containers opened in this step are still open */
  scan () {
    const { containers, input: { bytes } } = this
    const { length } = bytes
    let level = 0
    let closed = 0
    lastCommas[0] = -1
    let at = nextToken(bytes, this.inString ? this.endString() : this.at, length)
    for (; at < length; at = nextToken(bytes, at + 1, length)) {
      const byte = bytes[at]
      if (byte === COMMA) {
        if (level === 0 && this.isAfterChild) this.skipComma(at)
        else lastCommas[level] = at
      } else if (byte === QUOTE) {
        this.inString = true
        this.quote = at
        at = endOfPart(bytes, at, length)
        break
      } else if (isOpening(byte)) {
        if (level === 0 && this.isAfterChild) rejectText()
        if (containers.depth + level + 1 > this.maxDepth) throw this.tooDeep()
        if (level === MAX_LEVELS_PER_STEP) break
        openings[++level] = at
        lastCommas[level] = -1
      } else if (level > 0) {
        level--
      } else {
        if (closed++ === MAX_LEVELS_PER_STEP) break
        this.close(at, byte)
        lastCommas[0] = -1
      }
    }
    this.at = at
    return level
  }

  /** @returns {number} the index behind the string that goes on at `this.at`; or of its next byte that may end it */
  endString () {
    const { bytes } = this.input
    const quote = findStringEnd(bytes, this.at, bytes.length)
    if (quote >= bytes.length) return quote
    this.inString = false
    if (this.longString !== null) this.addLongString(quote)
    return quote + 1
  }

  /** A comma after a child that was added by itself. */
  skipComma (comma) {
    if (this.containers.depth === 0) rejectText()
    this.expectBlankTo(comma)
    this.isAfterChild = false
    this.input.start = comma + 1
  }

  /** A bracket closes the innermost container, which an earlier step opened. */
  close (at, bracket) {
    const { containers, input } = this
    if (containers.depth === 0 || bracket !== (containers.inObject ? CLOSE_BRACE : CLOSE_BRACKET)) rejectText()
    if (this.isAfterChild) this.expectBlankTo(at)
    else if (!input.isBlankTo(at)) this.parseRun(at)
    else if (!containers.isEmpty) rejectText() // a comma before the bracket
    containers.close()
    this.isAfterChild = true
    input.start = at + 1
  }

  /** Parses all that is complete, so that its bytes can be dropped. */
  parseComplete (level) {
    const { containers, input } = this
    for (let i = 1; i <= level; i++) {
      if (lastCommas[i - 1] !== -1) this.parseRun(lastCommas[i - 1])
      containers.open(input.bytes[openings[i]] === OPEN_BRACKET, this.parseName(openings[i]))
      input.start = openings[i] + 1
    }
    if (lastCommas[level] !== -1) this.parseRun(lastCommas[level])
    if (this.inString) {
      this.parseStringPart()
    } else {
      input.dropBlanks(this.at)
      if (this.isAfterChild && input.start < this.at) rejectText()
    }
  }

  /** Parses the children before a comma or a closing bracket. */
  parseRun (end) {
    const { containers, input } = this
    // A comma outside of containers, or without a child before it.
    if (containers.depth === 0 || input.isBlankTo(end)) rejectText()
    const text = input.textTo(end)
    containers.addRun(this.parse(containers.inObject ? `{${text}}` : `[${text}]`))
    input.start = end + 1
  }

  /** Parses what there is of an unfinished string, if it is long and a value. */
  parseStringPart () {
    const { containers, input, quote } = this
    if (this.longString === null) {
      const isLong = input.bytes.length - quote >= this.longStringLength
      if (!isLong || (containers.inObject && input.isBlankTo(quote))) return // a name if nothing is before it
      if (this.isAfterChild) rejectText()
      containers.setName(this.parseName(quote))
      this.longString = ''
      input.start = quote + 1
    }
    const end = input.findDivision()
    this.longString += this.parseString(end)
    input.start = end
  }

  addLongString (quote) {
    this.containers.add(this.longString + this.parseString(quote))
    this.isAfterChild = true
    this.longString = null
    this.input.start = quote + 1
  }

  parseString (end) {
    return JSON.parse(`"${this.input.textTo(end)}"`)
  }

  /** The name of the child that begins at `end`; null outside of objects. */
  parseName (end) {
    if (this.containers.inObject) {
      const name = this.input.nameTo(end)
      this.inspect(name)
      return name
    }
    this.expectBlankTo(end)
    return null
  }

  parse (text) {
    this.inspect(text)
    return parseJson(text)
  }

  expectBlankTo (end) {
    if (!this.input.isBlankTo(end)) rejectText()
  }
}

function rejectText () {
  throw new SyntaxError('not JSON')
}

module.exports = SliceParser
