'use strict'

// Texts as arrays of UTF-16 code units: to change many characters of one takes
// less time than to slice and to join strings.

const WIDE = /[^\x00-\xFF]/ // eslint-disable-line no-control-regex
const PIECE = 8192 // units; a call has at most so many arguments in every engine
const MAX_SHARED = 1024 * 1024 // bytes

const isLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1
const hasBuffer = isLittleEndian && globalThis.Buffer !== undefined // browsers have none

// Intentionally module-level: to allocate memory takes longer than to copy the
// text. It is free once a text is rewritten, which calls no code of others.
const shared = { source: null, target: null }

/** @returns {Uint8Array | Uint16Array} one byte for each character, if all fit in one; valid until the next call */
function unitsOf (text, isWide = WIDE.test(text)) {
  const units = allocate('source', text.length, isWide || !hasBuffer)
  if (!hasBuffer) for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at)
  else if (isWide) Buffer.from(units.buffer).write(text, 'utf16le')
  else units.write(text, 'latin1')
  return units
}

/** @returns {Uint8Array | Uint16Array} as wide as the others */
function allocateLike (units, length) {
  return allocate('target', length, units instanceof Uint16Array)
}

function allocate (use, length, isWide) {
  if (isWide) return new Uint16Array(length)
  if (length > MAX_SHARED) return Buffer.allocUnsafe(length)
  shared[use] ??= Buffer.allocUnsafeSlow(MAX_SHARED)
  return shared[use].subarray(0, length) // what is behind it is of another text
}

function stringOf (units, end) {
  if (!(units instanceof Uint16Array)) return units.toString('latin1', 0, end)
  if (hasBuffer) return Buffer.from(units.buffer).toString('utf16le', 0, end * 2)
  let text = ''
  for (let at = 0; at < end; at += PIECE) {
    text += String.fromCharCode.apply(null, units.subarray(at, Math.min(at + PIECE, end)))
  }
  return text
}

module.exports = { allocateLike, stringOf, unitsOf }
