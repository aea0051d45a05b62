'use strict'

const { COMMA } = require('../../json-keys/text')
const Scanner = require('./scanner')

/** Where the items of a slice begin and end, found one after the other. */
class Cuts {
  /** @param {Uint8Array | Uint16Array} units the bytes of the slice, or the UTF-16 code units of its text */
  constructor (units) {
    this.units = units
    this.scanner = new Scanner()
    this.index = -1 // of the item that was found last
    this.start = 0
    this.end = -1
  }

  /** @returns {boolean} whether there is a further item */
  next () {
    const { end, scanner, units } = this
    if (end === units.length) return false
    this.index++
    this.start = end + 1
    scanner.scan(units, this.start, units.length, true)
    this.end = units[scanner.cut] === COMMA ? scanner.cut : units.length
    return true
  }

  /** @param {number} index of an item that is not before the last one */
  seek (index) {
    while (this.index < index && this.next()) { /* each in turn */ }
    return this
  }
}

module.exports = Cuts
