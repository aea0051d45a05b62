'use strict'

// Charset -> function from bytes to string. UTF-8 and ISO-8859-1 are Node's
// own; iconv-lite is loaded later, for all others.

const errors = require('./errors')
const { later, markFailure } = require('./later')

const loadIconv = later(() => require('iconv-lite'))

/** Loads what other charsets are decoded with, but for the large tables of some. */
function load () {
  knows('utf-16le') // which makes it load its list
}

/**
 * @param {string} charset in lower case
 * @returns {((bytes: Buffer) => string) | null} null if the charset is unknown
 */
function decoderOf (charset) {
  if (charset === 'utf-8') return decodeUtf8
  if (charset === 'iso-8859-1') return decodeLatin1
  try {
    if (!knows(charset)) return null
  } catch { // who cannot be asked now is asked for each body, as this answer may be remembered
    return (bytes) => {
      if (!knows(charset)) throw errors.unsupportedCharset(charset)
      return loadIconv().decode(bytes, charset)
    }
  }
  return (bytes) => loadIconv().decode(bytes, charset)
}

/** Whether iconv-lite knows the charset; throws if what it needs for that cannot be loaded. */
function knows (charset) {
  try {
    loadIconv().getCodec(charset) // encodingExists would hide the difference
    return true
  } catch (error) {
    if (error.code === undefined) return false
    throw markFailure(error)
  }
}

/** Takes one leading byte order mark off, as every Unicode charset does. */
function decodeUtf8 (bytes) {
  const marked = bytes[0] === 0xEF && bytes[1] === 0xBB && bytes[2] === 0xBF
  return bytes.toString('utf8', marked ? 3 : 0)
}

function decodeLatin1 (bytes) {
  return bytes.toString('latin1')
}

/** For parsers of bytes. */
function decodeNothing (bytes) {
  return bytes
}

module.exports = { decoderOf, decodeNothing, load }
