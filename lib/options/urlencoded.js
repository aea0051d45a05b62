'use strict'

// The checks of body-parser's options of urlencoded.

function readCharset (value) {
  const charset = value || 'utf-8'
  if (charset === 'utf-8' || charset === 'iso-8859-1') return charset
  throw new TypeError('option defaultCharset must be either utf-8 or iso-8859-1')
}

/** Finite values are truncated to 32 bits, as in body-parser. */
function readParameterLimit (value) {
  if (value === undefined) return 1000
  const number = toNumber(value)
  if (Number.isNaN(number) || number < 1) throw new TypeError('option parameterLimit must be a positive number')
  return number === Infinity ? Infinity : number | 0
}

function readDepth (value, name, { settings }) {
  if (!settings.extended) return 0
  if (value === undefined) return 32
  const number = toNumber(value)
  if (Number.isNaN(number) || number < 0) throw new TypeError('option depth must be a zero or a positive number')
  if (value === false) return 0
  return typeof value === 'number' ? value : 5 // what qs makes of other types
}

/** NaN, not an exception, for what cannot be converted. */
const toNumber = (value) => typeof value === 'bigint' || typeof value === 'symbol' ? NaN : Number(value)

module.exports = { readCharset, readDepth, readParameterLimit }
