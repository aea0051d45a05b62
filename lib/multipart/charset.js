'use strict'

// The charsets of parts: those of the Encoding Standard that are supersets of
// ASCII. In others, a firewall that reads the bytes as ASCII sees another text.

const { decoderOf } = require('../body/charset')

const NOT_ASCII = ['iso-2022-jp', 'utf-16be', 'utf-16le']

/** Keeps a byte order mark. */
const decodeUtf8 = (bytes) => bytes.utf8Slice()

/**
 * @param {string} charset in lower case
 * @returns {((bytes: Buffer) => string) | null} null if it is not accepted
 */
function partDecoderOf (charset) {
  if (charset === 'utf-8') return decodeUtf8
  return isSuperset(charset) ? decoderOf(charset) : null
}

function isSuperset (charset) {
  try {
    return !NOT_ASCII.includes(new TextDecoder(charset).encoding)
  } catch { // the Encoding Standard does not have it
    return false
  }
}

module.exports = partDecoderOf
