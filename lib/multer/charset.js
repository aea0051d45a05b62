'use strict'

// Charsets of names and values, by the labels that multer knows, and by those
// of the Encoding Standard.

const LABELS = {
  utf8: ['utf-8', 'utf8'],
  latin1: ['latin1', 'latin-1', 'iso-8859-1', 'iso8859-1', 'ascii', 'us-ascii', 'windows-1252', 'cp1252', 'x-cp1252',
    'iso88591', 'iso_8859-1', 'l1', 'cp819', 'ibm819', 'csisolatin1', 'iso-ir-100', 'ansi_x3.4-1968'],
  utf16le: ['utf-16le', 'utf16le', 'ucs2', 'ucs-2'],
  base64: ['base64']
}

const DECODERS = {
  utf8: (bytes) => bytes.utf8Slice(),
  latin1: (bytes) => bytes.latin1Slice(),
  utf16le: (bytes) => bytes.toString('utf16le'),
  base64: (bytes) => bytes.toString('base64')
}

/** Label -> function from bytes to text. */
const BY_LABEL = new Map(Object.entries(LABELS).flatMap(([encoding, labels]) =>
  labels.map((label) => [label, DECODERS[encoding]])))

/**
 * @param {string} charset
 * @returns {((bytes: Buffer) => string) | null} null if it is unknown
 */
function decoderOf (charset) {
  const decode = BY_LABEL.get(charset.toLowerCase())
  if (decode !== undefined) return decode
  try {
    const decoder = new TextDecoder(charset, { ignoreBOM: true })
    return (bytes) => decoder.decode(bytes)
  } catch {
    return null
  }
}

/** @throws {TypeError} for an option that names a charset that nothing knows */
function readCharset (value, name, fallback) {
  const charset = value || fallback
  if (typeof charset === 'string' && decoderOf(charset) !== null) return charset
  throw new TypeError(`Expected ${name} to be a known charset`)
}

module.exports = { decoderOf, readCharset }
