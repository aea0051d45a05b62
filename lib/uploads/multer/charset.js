'use strict'

// Charsets of names and values, by the labels that multer knows, and by those
// of the Encoding Standard.

const { findDecoder } = require('../../core/platform')
const { decodeLatin1, decodeUtf8 } = require('../parts/charset')

const LABELS = {
  utf8: ['utf-8', 'utf8'],
  latin1: ['latin1', 'latin-1', 'iso-8859-1', 'iso8859-1', 'ascii', 'us-ascii', 'windows-1252', 'cp1252', 'x-cp1252',
    'iso88591', 'iso_8859-1', 'l1', 'cp819', 'ibm819', 'csisolatin1', 'iso-ir-100', 'ansi_x3.4-1968'],
  utf16le: ['utf-16le', 'utf16le', 'ucs2', 'ucs-2'],
  base64: ['base64']
}

const DECODERS = {
  utf8: decodeUtf8,
  latin1: decodeLatin1,
  utf16le: (bytes, start, end) => bytes.toString('utf16le', start, end),
  base64: (bytes, start, end) => bytes.toString('base64', start, end)
}

/**
 * Intentionally module-level: label -> function from bytes to text. Bounded: the Encoding Standard has 228 labels, and
 * making a decoder for each value that names one takes as long as 1,000 bytes.
 */
const BY_LABEL = new Map(Object.entries(LABELS).flatMap(([encoding, labels]) =>
  labels.map((label) => [label, DECODERS[encoding]])))

/**
 * @param {string} charset
 * @returns {((bytes: Buffer, start?: number, end?: number) => string) | null} null if it is unknown
 */
function decoderOf (charset) {
  const label = charset.toLowerCase()
  const decode = BY_LABEL.get(label)
  if (decode !== undefined) return decode
  const decoder = findDecoder(charset, { ignoreBOM: true })
  if (decoder === null) return null
  const decodeAny = (bytes, start, end) => decoder.decode(bytes.subarray(start, end))
  if (!/\s/.test(label)) BY_LABEL.set(label, decodeAny) // with blanks, there are any number of labels
  return decodeAny
}

/** @throws {TypeError} for an option that names a charset that nothing knows */
function readCharset (value, name, fallback) {
  const charset = value || fallback
  if (typeof charset === 'string' && decoderOf(charset) !== null) return charset
  throw new TypeError(`Expected ${name} to be a known charset`)
}

module.exports = { decoderOf, readCharset }
