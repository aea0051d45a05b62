'use strict'

const ChunkList = require('../../core/source/chunk-list')
const errors = require('../../core/errors')
const { CLOSE_BRACE } = require('../../json-keys/text')
const { skipBlanks } = require('../../formats/json/parse')
const { PrecedingText } = require('../../json-slices/preceding-text')
const { BYTES_BEHIND, createFault } = require('../../json-slices/fault')
const { recordTooLarge } = require('../record-too-large')
const ArrayFinder = require('./finder')
const { FAULT, Grammar } = require('../../json-slices/grammar')
const { createMistake, notFound } = require('./pointer')
const guessCut = require('./guess')
const countLineBreaks = require('./line-breaks')
const Scanner = require('./scanner')

const SLICE = 16 * 1024 // bytes: with larger ones, JSON.parse is not faster
const WINDOW = 1024 // bytes of a slice in which a guess first looks for its end
const WIDER = 4 // times, each time that this was wrong
const BYTE_ORDER_MARK = Uint8Array.of(0xEF, 0xBB, 0xBF)
const NONE = new Uint8Array()

/** Bytes -> the texts of the items of a JSON array, many small ones in one. Needs nothing of Node. */
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
    this.sliceBytes = Math.min(SLICE, record) // of small items that are given together
    this.finder = new ArrayFinder(path, decode, Math.min(depth, record))
    this.outside = new TextDecoder('utf-8', { ignoreBOM: true })
    this.scanner = new Scanner()
    this.preceding = new PrecedingText() // the text before the slice
    this.bytes = NONE // the chunk
    this.offset = 0 // of the chunk, in the body
    this.markBytes = 0 // of a byte order mark, or all if there is none
    this.start = 0 // index of what is not given yet
    this.at = 0 // index of what is not scanned yet
    this.part = ChunkList.ofCopies() // of an item that begins in an earlier chunk
    this.partOffset = 0
    this.slice = null // that was given last
    this.isFirst = true // no item has come before the slice
    this.number = 1 // of the next item
    this.isInside = false // the array
    this.fault = null // of which bytes behind it are awaited
    this.isEnded = false
    this.guesses = reviver === undefined
    this.window = WINDOW
  }

  /** @param {Uint8Array} chunk called when the chunks before have no further text */
  write (chunk) {
    this.offset += this.bytes.length
    this.bytes = chunk
    this.start = this.at = 0
    this.fault?.behind.write(chunk.subarray(0, BYTES_BEHIND))
    if (this.markBytes < BYTE_ORDER_MARK.length) this.skipMark()
  }

  end () {
    this.isEnded = true
    this.write(NONE)
  }

  get heldBytes () {
    return this.part.tail.length + this.bytes.length - this.start
  }

  /** One byte order mark before the text, which may be cut. */
  skipMark () {
    const { bytes, markBytes } = this
    let at = 0
    while (at < bytes.length && bytes[at] === BYTE_ORDER_MARK[markBytes + at]) at++
    const isWhole = markBytes + at === BYTE_ORDER_MARK.length
    if (isWhole || (at === bytes.length && !this.isEnded)) {
      this.markBytes += at
      this.start = at
      return
    }
    if (markBytes > 0) this.bytes = join(BYTE_ORDER_MARK.subarray(0, markBytes), bytes)
    this.offset -= markBytes
    this.markBytes = BYTE_ORDER_MARK.length
  }

  /**
   * @param {number} number of the next item, for errors
   * @returns {string | null} the text of the next items, with commas between them; null: more bytes are needed
   * @throws {Error} what ends the array too early, once the items before are given
   */
  next (number) {
    this.number = number
    if (this.slice !== null) this.pass(this.slice)
    if (this.fault === null && !this.isInside) this.readOutside()
    if (this.fault !== null) return this.report()
    return this.isInside ? this.take() : null
  }

  /** Before the array, and behind it. */
  readOutside () {
    const { bytes, finder, finder: { grammar, isFound }, outside, path, start } = this
    const at = finder.read(bytes, start)
    this.isInside = finder.isFound !== isFound
    const isStopped = this.isInside || grammar.event === FAULT || this.isEnded
    this.preceding.add(outside.decode(bytes.subarray(start, at), { stream: !isStopped }))
    this.start = this.at = at
    const offset = this.offset + at
    if (finder.mistake !== null) throw createMistake(path, finder.mistake, offset)
    if (grammar.isTooDeep) throw Object.assign(errors.nestedTooDeep(finder.maxDepth), { offset })
    if (grammar.event === FAULT || (this.isEnded && !grammar.isComplete)) {
      this.setFault(grammar, offset, bytes.subarray(at))
    } else if (this.isEnded && !finder.isFound) {
      throw notFound(path, offset)
    }
  }

  /** In the array. */
  take () {
    const { bytes, scanner, start } = this
    if (this.isEnded) return this.refuseEnd()
    const isSingle = this.part.length > 0
    if (this.guesses && !isSingle && this.at === start && this.guess()) return this.slice.items
    const end = isSingle ? bytes.length : Math.min(bytes.length, Math.max(start + this.sliceBytes, this.at))
    this.at = scanner.scan(bytes, this.at, end, isSingle)
    if (scanner.cut === -1 && end < bytes.length) this.at = scanner.scan(bytes, this.at, bytes.length, true)
    if (scanner.cut === -1) return this.keep()
    const isWrong = bytes[scanner.cut] === CLOSE_BRACE // which makes the text wrong that ends with it
    return this.give(isWrong ? scanner.cut + 1 : scanner.cut)
  }

  /** @returns {boolean} whether it has taken a slice, of which JSON.parse is to tell whether it is one */
  guess () {
    const { bytes, start } = this
    const end = Math.min(start + this.sliceBytes, bytes.length)
    let cut
    while ((cut = guessCut(bytes, start, end, this.window)) === -1 && this.window < end - start) this.window *= WIDER
    this.guesses = cut !== -1 || end === bytes.length
    if (cut === -1) return false
    this.setSlice(bytes.subarray(start, cut), cut, this.offset + start, { isGuess: true, isLast: false })
    return true
  }

  /** Of an item whose end has not come. */
  keep () {
    const { bytes, part, start } = this
    if (part.length === 0) this.partOffset = this.offset + start
    part.write(bytes.subarray(start))
    this.start = bytes.length
    if (part.length > this.maxBytes) throw this.tooLarge(this.partOffset)
    return null
  }

  /** @param {number} end index of what ends the items */
  give (end) {
    const { part, scanner, start } = this
    const offset = part.length > 0 ? this.partOffset : this.offset + start
    let bytes = this.bytes.subarray(start, end)
    if (part.length > 0) {
      part.write(bytes)
      bytes = part.join()
      this.part = ChunkList.ofCopies()
    }
    if (bytes.length > this.maxBytes) throw this.tooLarge(offset)
    const isLast = scanner.depth === 0
    const { items } = this.setSlice(bytes, end, offset, { isGuess: false, isLast })
    this.slice.isEmpty = isLast && this.isFirst && isBlankText(items) // the array
    return this.slice.isEmpty ? this.next(this.number) : items
  }

  tooLarge (offset) {
    return recordTooLarge(this.maxBytes, { record: this.number, offset })
  }

  setSlice (bytes, end, offset, flags) {
    const { decode, start } = this
    this.slice = { bytes, end, isEmpty: false, items: decode(bytes), offset, start, ...flags }
    return this.slice
  }

  /** Goes on behind a slice that was parsed. */
  pass ({ bytes, end, isEmpty, isLast, items }) {
    const { finder, preceding } = this
    preceding.skip(items, countLineBreaks(bytes, items))
    this.slice = null
    this.start = end
    if (isLast) {
      if (!isEmpty) finder.grammar.skipValue()
      this.isInside = false
    } else {
      preceding.skip(',', 0)
      this.start++
    }
    this.at = Math.max(this.at, this.start)
    this.isFirst = false
  }

  /** Gives the items of the last slice again, as its guess or one of them is wrong. */
  repeat () {
    this.window *= WIDER
    this.guesses = this.window < this.sliceBytes
    this.at = this.slice.start
    this.slice = null
    this.scanner.restart()
  }

  /**
   * Leaves one item of the slice that was given last: those before it are right.
   *
   * @param {{ start: number, end: number }} place of it, in the bytes of the slice
   */
  narrow ({ end, start }) {
    const { slice, slice: { bytes } } = this
    const before = bytes.subarray(0, start)
    const text = this.decode(before)
    this.preceding.skip(text, countLineBreaks(before, text))
    if (start > 0) this.isFirst = false
    if (end < bytes.length) slice.end = slice.start + end
    slice.bytes = bytes.subarray(start, end)
    slice.offset += start
  }

  /**
   * Looks for a syntax error in the only item of the slice that was given last, or behind it.
   *
   * @returns {boolean} whether there is one, which `next` is to throw
   */
  findFault () {
    const { bytes, end, offset } = this.slice
    const grammar = Grammar.inArray(this.isFirst)
    const at = grammar.read(bytes, 0, bytes.length)
    if (grammar.event !== FAULT) grammar.read(this.bytes, end, end + 1)
    if (grammar.event !== FAULT) return false
    this.preceding.add(this.decode(bytes.subarray(0, at)))
    this.setFault(grammar, offset + at, bytes.subarray(at), this.bytes.subarray(end))
    this.slice = null
    return true
  }

  refuseEnd () {
    const bytes = this.part.join()
    const grammar = Grammar.inArray(this.isFirst)
    const at = grammar.read(bytes, 0, bytes.length)
    this.preceding.add(this.decode(bytes.subarray(0, at)))
    this.setFault(grammar, this.offset - bytes.length + at, bytes.subarray(at))
    return this.report()
  }

  setFault (grammar, offset, ...following) {
    const behind = ChunkList.ofCopies()
    for (const bytes of following) behind.write(bytes.subarray(0, BYTES_BEHIND))
    this.fault = { behind, grammar, offset }
  }

  report () {
    const { fault: { behind, grammar, offset }, isEnded, preceding } = this
    if (behind.length < BYTES_BEHIND && !isEnded) return null
    const fault = createFault(grammar, preceding, this.decode(behind.join())) ?? new SyntaxError('the text is not JSON')
    throw errors.unparsable(fault, undefined, { offset })
  }
}

function join (first, second) {
  const joined = new Uint8Array(first.length + second.length)
  joined.set(first)
  joined.set(second, first.length)
  return joined
}

const isBlankText = (text) => skipBlanks(text) === text.length

module.exports = ItemTexts
