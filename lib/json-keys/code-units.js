'use strict'

// Texts as arrays of UTF-16 code units.

const WIDE = /[^\x00-\xFF]/ // eslint-disable-line no-control-regex
const PIECE = 4096 // units: every engine takes so many arguments of a call

const isLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1
const hasBuffer = isLittleEndian && globalThis.Buffer !== undefined // browsers have none

/** @returns {Uint8Array | Uint16Array} one byte for each character, if all fit in one */
function unitsOf (text) {
  const units = allocate(text.length, WIDE.test(text))
  if (!hasBuffer) for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at)
  else if (units instanceof Uint16Array) Buffer.from(units.buffer).write(text, 'utf16le')
  else units.latin1Write(text, 0)
  return units
}

/** @returns {Uint8Array | Uint16Array} where browsers have no Buffer, always the wider one */
function allocate (length, isWide) {
  return isWide || !hasBuffer ? new Uint16Array(length) : Buffer.allocUnsafe(length)
}

/** @returns {string} the characters before `end` */
function stringOf (units, end) {
  if (!(units instanceof Uint16Array)) return units.latin1Slice(0, end)
  if (hasBuffer) return Buffer.from(units.buffer).toString('utf16le', 0, end * 2)
  let text = ''
  for (let at = 0; at < end; at += PIECE) {
    text += String.fromCharCode.apply(null, units.subarray(at, Math.min(at + PIECE, end)))
  }
  return text
}

module.exports = { allocate, stringOf, unitsOf }
