'use strict'

// The charsets of forms and their parts: those of the Encoding Standard that are supersets of
// ASCII. In others, a firewall that reads the bytes as ASCII sees another text.

const contentType = require('content-type')
const { decoderOf } = require('../../core/body/charset')

const NAMED = /;\s*charset\s*=/i
const NOT_ASCII = ['iso-2022-jp', 'utf-16be', 'utf-16le']

const decodeUtf8 = (bytes, start, end) => bytes.utf8Slice(start, end)

/**
 * @param {string} charset in lower case
 * @returns {((bytes: Buffer, start: number, end: number) => string) | null} null if it is not accepted
 */
function partDecoderOf (charset) {
  if (charset === 'utf-8') return decodeUtf8
  const decode = isSuperset(charset) ? decoderOf(charset) : null
  return decode && ((bytes, start, end) => decode(bytes.subarray(start, end)))
}

/** @returns {string} the charset that the Content-Type of a form names, in lower case, or the fallback */
function formCharsetOf ({ headers }, fallback) {
  const field = headers['content-type'] // which has named a boundary
  if (!NAMED.test(field)) return fallback
  return contentType.parse(field).parameters.charset?.toLowerCase() || fallback
}

function isSuperset (charset) {
  try {
    return !NOT_ASCII.includes(new TextDecoder(charset).encoding)
  } catch { // the Encoding Standard does not have it
    return false
  }
}

module.exports = { decodeUtf8, formCharsetOf, isSuperset, partDecoderOf }
