'use strict'

// Bytes -> the texts of the items of a JSON array. Needs nothing of Node.

const ChunkList = require('../../core/source/chunk-list')
const errors = require('../../core/errors')
const { CLOSE_BRACE, skipBlanks } = require('../../json-keys/text')
const { FAULT, Grammar } = require('../../json-slices/grammar')
const { PrecedingText, SyntaxFault } = require('../../json-slices/syntax-error')
const { recordTooLarge } = require('../record-too-large')
const ArrayFinder = require('./array-finder')
const CutGuess = require('./cut-guess')
const { ItemScanner } = require('./item-scanner')
const { createMistake, notFound } = require('./json-pointer')

const SLICE = 16 * 1024 // bytes: with larger ones, JSON.parse is not faster
const BYTE_ORDER_MARK = Uint8Array.of(0xEF, 0xBB, 0xBF)
const NONE = new Uint8Array()

// The states.
const START = 'start' // the first bytes of the body may be a byte order mark
const OUTSIDE = 'outside' // before the array, or behind it
const BETWEEN = 'between' // in the array: an item begins with the next byte
const WITHIN = 'within' // in an item, whose beginning is in `part`
const FAULTY = 'faulty' // a syntax error is found, and its message quotes bytes that may not be there yet

/**
 * Items that follow each other in a body.
 *
 * @typedef {object} Slice
 * @property {Uint8Array} bytes with commas between items
 * @property {string} text that they are
 * @property {number} offset of the bytes in the body
 * @property {number} end index, in the chunk, behind the bytes: of a comma, or of the bracket that closes the array
 * @property {boolean} isGuess JSON.parse is to tell whether the bytes are whole items
 * @property {boolean} isLast the array ends behind them
 */

/** Gives the items of an array in slices: many small items, or a large one. */
class ItemTexts {
  /**
   * @param {(bytes: Uint8Array) => string} decode keeps a byte order mark
   * @param {object} settings
   * @param {string[]} settings.path keys that lead to the array
   * @param {number} settings.record most bytes of an item, with the white space around it
   * @param {number} settings.depth of containers beside the path
   * @param {Function} [settings.reviver] for which each item is parsed alone: no guess is checked by JSON.parse then
   */
  constructor (decode, { depth, path, record, reviver }) {
    this.decode = decode
    this.path = path
    this.maxBytes = record
    this.sliceBytes = Math.min(SLICE, record)
    this.finder = new ArrayFinder(path, decode, Math.min(depth, record))
    this.decoder = new TextDecoder('utf-8', { ignoreBOM: true }) // of the bytes outside of the array
    this.scanner = new ItemScanner()
    this.guess = reviver === undefined ? new CutGuess() : null
    this.preceding = new PrecedingText() // all text before the slice

    this.state = START
    this.isEnded = false // the body
    this.bytes = NONE // the chunk
    this.offset = 0 // of the chunk, in the body
    this.start = 0 // index in the chunk: all before is given, or in `part`
    this.part = ChunkList.ofCopies() // what is read together with the next chunk
    this.slice = null // that was given last, while its items are read
    this.fault = null // { syntaxFault, place } of the syntax error
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

  get heldBytes () {
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
    if (this.state === BETWEEN || this.state === WITHIN) this.readItems(number)
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

  readItems (number) {
    const { bytes, isEnded, scanner, sliceBytes, start } = this
    if (isEnded) {
      this.examine(this.part.join(), NONE, { offset: this.itemOffset, record: number })
      return
    }
    const isBetween = this.state === BETWEEN
    const end = isBetween ? Math.min(start + sliceBytes, bytes.length) : start
    if (this.guess !== null && isBetween && scanner.at === start) {
      const guess = this.guess.find(bytes, start, end)
      if (guess !== -1) return this.giveGuess(guess)
    }
    let cut = scanner.findCut(bytes, end, false)
    if (cut === -1) cut = scanner.findCut(bytes, bytes.length, true)
    if (cut === -1) this.keepItem(number)
    else this.cutAt(cut, number)
  }

  giveGuess (end) {
    const bytes = this.bytes.subarray(this.start, end)
    this.give(bytes, { offset: this.itemOffset, end, isGuess: true, isLast: false })
  }

  /** The item goes on in the next chunk. */
  keepItem (number) {
    if (this.start === this.bytes.length && this.state === BETWEEN) return
    this.state = WITHIN
    this.keep()
    this.checkLength(this.part.length, number)
  }

  keep () {
    this.part.write(this.bytes.subarray(this.start))
    this.start = this.bytes.length
  }

  /** @param {number} cut index of what ends the items */
  cutAt (cut, number) {
    const { bytes, part, scanner, start } = this
    const end = bytes[cut] === CLOSE_BRACE ? cut + 1 : cut // which makes the text wrong that ends with it
    const { itemOffset } = this
    let items = bytes.subarray(start, end)
    this.checkLength(part.length + items.length, number)
    if (part.length > 0) {
      part.write(items)
      items = this.takePart()
    }
    this.state = BETWEEN
    this.give(items, { offset: itemOffset, end, isGuess: false, isLast: scanner.depth === 0 })
  }

  checkLength (length, number) {
    if (length > this.maxBytes) throw recordTooLarge(this.maxBytes, { record: number, offset: this.itemOffset })
  }

  /** Where the next item begins, of which a part may have been read. */
  get itemOffset () {
    return this.offset + this.start - this.part.length
  }

  give (bytes, more) {
    this.slice = { bytes, text: this.decode(bytes), ...more }
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

  /** Gives the items of the last slice again, as its guess or one of them is wrong. */
  repeat () {
    this.guess.widen(this.sliceBytes)
    this.slice = null
  }

  /**
   * Looks for a syntax error in an item of the slice that was given last, or behind it. All items before are right.
   *
   * @param {{ start: number, end: number }} place of the item, in the bytes of the slice
   * @param {number} number of the item
   * @returns {boolean} whether there is one, which `next` is to throw
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
   * @param {Uint8Array} behind none if the body ends here
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

  /** @throws {Error} that of the syntax error, once the bytes are there that its message quotes */
  report () {
    const { fault: { place, syntaxFault }, isEnded } = this
    if (!syntaxFault.isWhole && !isEnded) return
    const error = syntaxFault.toError(this.decode) ?? new SyntaxError('the text is not JSON')
    throw errors.unparsable(error, undefined, place)
  }
}

/** @returns {boolean} whether a slice has the blanks of an array without items */
const isEmptyArray = ({ bytes, isLast }, number) =>
  isLast && number === 1 && skipBlanks(bytes, 0, bytes.length) === bytes.length

module.exports = ItemTexts
