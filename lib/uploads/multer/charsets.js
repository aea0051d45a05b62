'use strict'

// Charsets of names and values: those of the Encoding Standard, and the ones that multer has besides.

const { findDecoder } = require('../../core/platform')
const { decodeLatin1, decodeUtf8 } = require('../parts/form-charsets')

/** By an encoding of Buffer. */
const decodeAs = (encoding) => (bytes, start, end) => bytes.toString(encoding, start, end)

/** By the name that the Encoding Standard gives it. multer takes each byte for a character of latin1. */
const BY_ENCODING = { __proto__: null, 'utf-8': decodeUtf8, 'windows-1252': decodeLatin1 }

/**
 * Intentionally module-level: label -> function from bytes to text. Bounded, as the Encoding Standard has 228 labels.
 * Making a decoder for each value that names a charset takes longer than decoding most values.
 */
const BY_LABEL = new Map([
  ['base64', decodeAs('base64')],
  ['latin-1', decodeLatin1],
  ...['ucs-2', 'ucs2', 'utf-16le', 'utf16le'].map((label) => [label, decodeAs('utf16le')])
])

/**
 * @param {string} charset
 * @returns {((bytes: Buffer, start?: number, end?: number) => string) | null} null if it is unknown
 */
function decoderOf (charset) {
  const label = charset.toLowerCase()
  const known = BY_LABEL.get(label)
  if (known !== undefined) return known
  const decoder = findDecoder(charset, { ignoreBOM: true })
  if (decoder === null) return null
  const decode = BY_ENCODING[decoder.encoding] ?? ((bytes, start, end) => decoder.decode(bytes.subarray(start, end)))
  if (!/\s/.test(label)) BY_LABEL.set(label, decode) // with blanks, there are any number of labels
  return decode
}

/** @throws {TypeError} for an option that names a charset that nothing knows */
function readCharset (value, name, fallback) {
  const charset = value || fallback
  if (typeof charset === 'string' && decoderOf(charset) !== null) return charset
  throw new TypeError(`Expected ${name} to be a known charset`)
}

module.exports = { decoderOf, readCharset }
