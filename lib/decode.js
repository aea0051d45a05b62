'use strict'

// Charset -> function from bytes to string. UTF-8 and ISO-8859-1 are Node's
// own; iconv-lite is loaded when some other charset is first met.

/**
 * @param {string} charset in lower case
 * @returns {((bytes: Buffer) => string) | null} null if the charset is unknown
 */
function decoderOf (charset) {
  if (charset === 'utf-8') return decodeUtf8
  if (charset === 'iso-8859-1') return decodeLatin1
  const iconv = require('iconv-lite')
  if (!iconv.encodingExists(charset)) return null
  return (bytes) => iconv.decode(bytes, charset)
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

module.exports = { decoderOf, decodeNothing }
