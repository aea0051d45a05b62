'use strict'

// Charset -> function from bytes to text. Node decodes UTF-8 and ISO-8859-1;
// iconv-lite, loaded by parsers that take others, all others.

/** Loads iconv-lite and its list of charsets, but not the large tables of some. */
const load = () => require('iconv-lite').encodingExists('utf-16le')

/**
 * @param {string} charset in lower case
 * @returns {((bytes: Buffer) => string) | null} null if the charset is unknown
 */
function decoderOf (charset) {
  if (charset === 'utf-8') return decodeUtf8
  if (charset === 'iso-8859-1') return decodeLatin1
  const iconv = require('iconv-lite')
  return iconv.encodingExists(charset) ? (bytes) => iconv.decode(bytes, charset) : null
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
