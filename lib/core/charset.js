'use strict'

// Charset -> function from bytes to text. Node decodes UTF-8 and ISO-8859-1;
// iconv-lite, loaded when it is needed, all others.

const errors = require('./errors')
const { lazy, markLoadError } = require('./lazy')

const loadIconv = lazy(() => require('iconv-lite'))

/** Loads iconv-lite and its list of charsets, but not the large tables of some. */
const load = () => isKnown('utf-16le')

/**
 * @param {string} charset in lower case
 * @returns {((bytes: Buffer) => string) | null} null if the charset is unknown
 */
function decoderOf (charset) {
  if (charset === 'utf-8') return decodeUtf8
  if (charset === 'iso-8859-1') return decodeLatin1
  try {
    if (!isKnown(charset)) return null
  } catch { // iconv-lite cannot be loaded now; ask again for each body, as this result is remembered
    return (bytes) => {
      if (!isKnown(charset)) throw errors.unsupportedCharset(charset)
      return loadIconv().decode(bytes, charset)
    }
  }
  return (bytes) => loadIconv().decode(bytes, charset)
}

/** @throws {Error} if iconv-lite, or its table of this charset, cannot be loaded */
function isKnown (charset) {
  try {
    loadIconv().getCodec(charset) // encodingExists would hide the difference
    return true
  } catch (error) {
    if (error.code === undefined) return false
    throw markLoadError(error)
  }
}

/** Removes one leading byte order mark. */
function decodeUtf8 (bytes) {
  const isMarked = bytes[0] === 0xEF && bytes[1] === 0xBB && bytes[2] === 0xBF
  return bytes.toString('utf8', isMarked ? 3 : 0)
}

const decodeLatin1 = (bytes) => bytes.toString('latin1')

/** For parsers of bytes. */
const decodeNothing = (bytes) => bytes

module.exports = { decoderOf, decodeNothing, load }
