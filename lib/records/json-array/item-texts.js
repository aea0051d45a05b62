'use strict'

// Bytes -> the texts of the items of a JSON array. Needs nothing of Node.

const ChunkList = require('../../core/source/chunk-list')
const errors = require('../../core/errors')
const { CLOSE_BRACE, skipBlanks } = require('../../json-keys/text')
const { FAULT, Grammar } = require('../../json-slices/grammar')
const { PrecedingText, SyntaxFault } = require('../../json-slices/syntax-error')
const { recordTooLarge } = require('../record-error')
const ArrayFinder = require('./array-finder')
const CutGuess = require('./cut-guess')
const { ItemScanner } = require('./item-scanner')
const { createMistake, notFound } = require('./json-pointer')

const SLICE = 16 * 1024 // bytes: with larger ones, JSON.parse is not faster
const BYTE_ORDER_MARK = Uint8Array.of(0xEF, 0xBB, 0xBF)
const NONE = new Uint8Array()

// The states: START, OUTSIDE, BETWEEN and WITHIN for each item, OUTSIDE; and FAULTY behind each of the last three.
const START = 'start' // the first bytes of the body may be a byte order mark
const OUTSIDE = 'outside' // before the array, or behind it
const BETWEEN = 'between' // in the array: an item begins at `start`
const WITHIN = 'within' // in an item that began in an earlier chunk: its beginning is in `part`
const FAULTY = 'faulty' // a syntax error is found; its message quotes bytes that may not have arrived

/**
 * Items that follow each other in a body.
 *
 * @typedef {object} Slice
 * @property {Uint8Array} bytes with commas between items
 * @property {string} text the same, decoded
 * @property {number} offset of the bytes in the body
 * @property {number} end index in the chunk of what follows the bytes: a comma, or the bracket that closes the array
 * @property {boolean} isGuess whether JSON.parse has to tell that the bytes are whole items
 * @property {boolean} isLast whether the array ends behind the bytes
 */

/** Gives the items of an array in slices: many small items, or a large one. */
class ItemTexts {
  /**
   * @param {(bytes: Uint8Array) => string} decode keeps a byte order mark
   * @param {object} settings
   * @param {string[]} settings.path keys that lead to the array
   * @param {number} settings.record most bytes of an item, with the white space around it
   * @param {number} settings.depth of containers beside the path
   * @param {Function} [settings.reviver] with one, each item is parsed alone, which would not notice a wrong guess
   */
  constructor (decode, { depth, path, record, reviver }) {
    this.decode = decode
    this.path = path
    this.maxBytes = record
    this.sliceBytes = Math.min(SLICE, record)
    this.finder = new ArrayFinder(path, Math.min(depth, record))
    this.decoder = new TextDecoder('utf-8', { ignoreBOM: true }) // of the bytes outside of the array
    this.scanner = new ItemScanner()
    this.guess = reviver === undefined ? new CutGuess() : null
    this.preceding = new PrecedingText() // all text before the slice, or before `start`

    this.state = START
    this.isEnded = false // whether the body is; then `bytes` is empty
    this.bytes = NONE // the chunk
    this.offset = 0 // of the chunk, in the body
    this.start = 0 // index in the chunk: all bytes before it were given, or are in `part`
    this.part = ChunkList.ofCopies() // bytes of earlier chunks that are read together with the next chunk
    this.slice = null // the one that was given last, until `next` is called again
    this.fault = null // { syntaxFault, place } in the state FAULTY
  }

  /** @param {Uint8Array} chunk called when the chunks before have no further slice */
  write (chunk) {
    this.offset += this.bytes.length
    this.scanner.shift(this.bytes.length)
    this.bytes = chunk
    this.start = 0
    if (this.state === FAULTY) this.fault.syntaxFault.write(chunk)
  }

  end () {
    this.isEnded = true
    this.write(NONE)
  }

  get bufferedBytes () {
    return this.part.tail.length + this.bytes.length - this.start
  }

  /**
   * @param {number} number of the next item, for errors
   * @returns {Slice | null} the next items; null: more bytes are needed
   * @throws {Error} what ends the array too early, once the items before are given
   */
  next (number) {
    if (this.slice !== null) this.leaveSlice()
    if (this.state === START) this.skipMark()
    if (this.state === OUTSIDE) this.readOutside()
    if (this.state === BETWEEN) this.readItems(number)
    else if (this.state === WITHIN) this.readItem(number)
    if (this.state === FAULTY) this.report()
    return this.slice !== null && isEmptyArray(this.slice, number) ? this.next(number) : this.slice
  }

  /** One byte order mark, which chunks may cut. */
  skipMark () {
    if (this.part.length > 0) {
      this.keep()
      this.bytes = this.takePart()
      this.offset = this.start = 0
    }
    const { bytes, isEnded } = this
    const same = BYTE_ORDER_MARK.findIndex((byte, index) => bytes[index] !== byte) // bytes; -1 if all are
    if (same === bytes.length && !isEnded) return this.keep()
    if (same === -1) this.start = BYTE_ORDER_MARK.length
    this.state = OUTSIDE
  }

  /** Follows the path to the array, or checks what is behind it. */
  readOutside () {
    const { bytes, decoder, finder, finder: { grammar, isFound }, isEnded, path, start } = this
    const at = finder.read(bytes, start)
    const isInside = finder.isFound !== isFound
    const isFault = grammar.event === FAULT || (isEnded && !grammar.isComplete)
    this.preceding.add(decoder.decode(bytes.subarray(start, at), { stream: !(isInside || isFault || isEnded) }))
    this.start = at
    const offset = this.offset + at
    if (isInside) this.beginItem()
    if (finder.mistake !== null) throw createMistake(path, finder.mistake, offset)
    if (grammar.isTooDeep) throw Object.assign(errors.nestedTooDeep(finder.maxDepth), { offset })
    if (isFault) this.setFault(grammar, { offset }, bytes.subarray(at))
    else if (isEnded && !finder.isFound) throw notFound(path, offset)
  }

  beginItem () {
    this.state = BETWEEN
    this.scanner.begin(this.start)
  }

  /** Gives the items of the next few kilobytes, or one that is larger. */
  readItems (number) {
    const { bytes, guess, scanner, start } = this
    const end = Math.min(start + this.sliceBytes, bytes.length)
    if (guess !== null && scanner.at === start) {
      const cut = guess.find(bytes, start, end)
      if (cut !== -1) return this.give(bytes.subarray(start, cut), { end: cut, isGuess: true, isLast: false })
    }
    const cut = scanner.findCut(bytes, end, false)
    if (cut === -1) this.readItem(number)
    else this.giveTo(cut, number)
  }

  /** Gives one item, of which a part may have been scanned. */
  readItem (number) {
    const { bytes, isEnded, scanner } = this
    const cut = scanner.findCut(bytes, bytes.length, true)
    if (cut !== -1) this.giveTo(cut, number)
    else if (isEnded) this.examine(this.part.join(), NONE, { offset: this.itemOffset, record: number })
    else if (this.start < bytes.length) this.keepItem(number)
  }

  /** The item goes on in the next chunk. */
  keepItem (number) {
    this.state = WITHIN
    this.keep()
    this.checkLength(this.part.length, number)
  }

  keep () {
    this.part.write(this.bytes.subarray(this.start))
    this.start = this.bytes.length
  }

  /** @param {number} cut index of what ends the items */
  giveTo (cut, number) {
    const { bytes, part, scanner, start } = this
    const end = bytes[cut] === CLOSE_BRACE ? cut + 1 : cut // with a brace at its end, JSON.parse refuses the text
    const items = bytes.subarray(start, end)
    this.checkLength(part.length + items.length, number)
    this.state = BETWEEN
    this.give(items, { end, isGuess: false, isLast: scanner.depth === 0 })
  }

  /** @param {Uint8Array} rest the bytes behind those in `part` */
  give (rest, more) {
    const offset = this.itemOffset
    let bytes = rest
    if (this.part.length > 0) {
      this.part.write(rest)
      bytes = this.takePart()
    }
    this.slice = { bytes, text: this.decode(bytes), offset, ...more }
  }

  checkLength (length, number) {
    if (length > this.maxBytes) throw recordTooLarge(this.maxBytes, { record: number, offset: this.itemOffset })
  }

  /** Where the next item begins in the body. */
  get itemOffset () {
    return this.offset + this.start - this.part.length
  }

  takePart () {
    const bytes = this.part.join()
    this.part = ChunkList.ofCopies()
    return bytes
  }

  leaveSlice () {
    const { finder, preceding, slice: { bytes, end, isGuess, isLast, text } } = this
    preceding.skip(text, bytes)
    this.slice = null
    this.start = end
    if (isLast) {
      finder.grammar.skipValue()
      this.state = OUTSIDE
    } else {
      preceding.skip(',', NONE)
      this.start++
      if (isGuess) this.scanner.begin(this.start)
    }
  }

  /** The last slice was a guess, and JSON.parse refuses it: its items are given again, in another slice. */
  repeat () {
    this.guess.widen(this.sliceBytes)
    this.slice = null
  }

  /**
   * Looks for a syntax error in an item of the slice that was given last, or in the byte behind the item.
   *
   * @param {{ start: number, end: number }} place of the item, in the bytes of the slice
   * @param {number} number of the item; all items before it are right
   * @returns {boolean} whether there is a syntax error, which `next` will throw
   */
  findFault ({ end, start }, number) {
    const { preceding, slice } = this
    const before = slice.bytes.subarray(0, start)
    preceding.skip(this.decode(before), before)
    const behind = this.bytes.subarray(end < slice.bytes.length ? this.start + end : slice.end)
    return this.examine(slice.bytes.subarray(start, end), behind, { offset: slice.offset + start, record: number })
  }

  /**
   * @param {Uint8Array} item
   * @param {Uint8Array} behind the bytes behind the item; empty if the body ends there, which is an error as well
   * @param {{ offset: number, record: number }} place of the item
   * @returns {boolean} whether there is a syntax error
   */
  examine (item, behind, { offset, record }) {
    const grammar = Grammar.inArray(record === 1)
    const at = grammar.read(item, 0, item.length)
    if (grammar.event !== FAULT && behind.length > 0) grammar.read(behind, 0, 1)
    if (grammar.event !== FAULT && behind.length > 0) return false
    this.preceding.add(this.decode(item.subarray(0, at)))
    this.slice = null
    this.setFault(grammar, { offset: offset + at, record }, item.subarray(at), behind)
    return true
  }

  setFault (grammar, place, ...following) {
    const syntaxFault = new SyntaxFault(grammar, this.preceding)
    for (const bytes of following) syntaxFault.write(bytes)
    this.fault = { syntaxFault, place }
    this.state = FAULTY
  }

  /** @throws {Error} the syntax error, once the bytes that its message quotes have arrived */
  report () {
    const { fault: { place, syntaxFault }, isEnded } = this
    if (!syntaxFault.isWhole && !isEnded) return
    const error = syntaxFault.toError(this.decode) ?? new SyntaxError('the text is not JSON')
    throw errors.unparsable(error, undefined, place)
  }
}

/** @returns {boolean} whether a slice is all that an array has, and nothing but white space */
const isEmptyArray = ({ bytes, isLast }, number) =>
  isLast && number === 1 && skipBlanks(bytes, 0, bytes.length) === bytes.length

module.exports = ItemTexts
