'use strict'

const { COMMA, QUOTE } = require('../../json-keys/text')
const { endOfPart, findStringEnd, isOpening, nextToken } = require('../../json-slices/tokens')

/**
 * Finds where items of an array end, in bytes that may be cut anywhere. Each ends
 * with a cut: the comma behind it, or the bracket that closes the array.
 */
class ItemScanner {
  constructor () {
    this.begin(0)
  }

  /** @param {number} at index of the first byte of an item */
  begin (at) {
    this.at = at // index of the next byte to scan; in a string, of the next one that is not escaped
    this.depth = 1 // of open containers, the array included; 0 once it is closed
    this.isInString = false
  }

  /** Goes on in other bytes. @param {number} length of those before */
  shift (length) {
    this.at -= length
  }

  /**
   * @param {Uint8Array} bytes
   * @param {number} end
   * @param {boolean} onlyFirst whether to stop behind the first cut
   * @returns {number} index of the first or the last cut before `end`; -1 without one
   */
  findCut (bytes, end, onlyFirst) {
    let { depth } = this
    let cut = -1
    let at = nextToken(bytes, this.isInString ? this.endString(bytes, end) : this.at, end)
    for (; at < end; at = nextToken(bytes, at + 1, end)) {
      const byte = bytes[at]
      if (byte === COMMA) {
        if (depth > 1) continue
        cut = at
        if (onlyFirst) break
      } else if (byte === QUOTE) {
        this.isInString = true
        at = endOfPart(bytes, at, end)
        break
      } else if (isOpening(byte)) {
        depth++
      } else if (--depth === 0) {
        cut = at
        break
      }
    }
    this.at = onlyFirst && cut !== -1 ? cut + 1 : at
    this.depth = depth
    return cut
  }

  /** @returns {number} the index behind the string; if it goes on behind `end`, that of its next unescaped byte */
  endString (bytes, end) {
    const quote = findStringEnd(bytes, this.at, end)
    this.isInString = quote >= end
    return this.isInString ? quote : quote + 1
  }
}

/** Where the items of a slice begin and end, found one after the other. */
class ItemPlaces {
  /** @param {Uint8Array} bytes of the slice */
  constructor (bytes) {
    this.bytes = bytes
    this.scanner = new ItemScanner()
    this.index = -1 // of the item that was found last
    this.start = 0
    this.end = -1
  }

  /**
   * @param {number} index of an item that is not before the last one
   * @returns {boolean} whether there is such an item
   */
  seek (index) {
    const { bytes, bytes: { length }, scanner } = this
    while (this.index < index && this.end < length) {
      this.index++
      this.start = this.end + 1
      const cut = scanner.findCut(bytes, length, true)
      this.end = bytes[cut] === COMMA ? cut : length
    }
    return this.index === index
  }
}

module.exports = { ItemPlaces, ItemScanner }
