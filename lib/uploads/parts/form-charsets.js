'use strict'

// The charsets of forms and their parts: those of the Encoding Standard that are supersets of
// ASCII. In others, a firewall that reads the bytes as ASCII sees another text.

const contentType = require('content-type')
const { findDecoder } = require('../../core/platform')

const NAMED = /;\s*charset\s*=/i
const NOT_ASCII = ['iso-2022-jp', 'utf-16be', 'utf-16le']

const decodeUtf8 = (bytes, start, end) => bytes.utf8Slice(start, end)
const decodeLatin1 = (bytes, start, end) => bytes.latin1Slice(start, end)

/**
 * @param {string} charset in lower case
 * @param {(charset: string) => ((bytes: Uint8Array) => string) | null} decoderOf what the runtime decodes
 * @returns {((bytes: Buffer, start: number, end: number) => string) | null} null if it is not accepted
 */
function partDecoderOf (charset, decoderOf) {
  if (charset === 'utf-8') return decodeUtf8
  const decode = findSuperset(charset) === null ? null : decoderOf(charset)
  return decode && ((bytes, start, end) => decode(bytes.subarray(start, end)))
}

/**
 * @param {string} field the Content-Type of a form, which has named a boundary
 * @returns {string} the charset that it names, in lower case, or the fallback
 */
function formCharsetOf (field, fallback) {
  if (!NAMED.test(field)) return fallback
  return contentType.parse(field).parameters.charset?.toLowerCase() || fallback
}

/**
 * Option `defaultCharset`.
 *
 * @param {string} charset in lower case
 * @param {typeof import('../../core/body/charset').decoderOf} decoderOf what the runtime decodes
 */
function checkDefault (charset, decoderOf) {
  if (partDecoderOf(charset, decoderOf) !== null) return
  const kinds = 'of the Encoding Standard, and a superset of ASCII, such as windows-1252'
  throw new TypeError(`option defaultCharset must be a charset ${kinds}`)
}

/**
 * Intentionally module-level: label -> decoder. Bounded, as the Encoding Standard has 228 labels. Making a decoder for
 * each file name takes longer than decoding the name.
 */
const FATAL = new Map()

/**
 * @param {string} charset in lower case, without blanks
 * @returns {((bytes: Uint8Array) => string | null) | null} null if it is not accepted; gives null for bytes of another
 */
function fatalDecoderOf (charset) {
  const known = FATAL.get(charset)
  if (known !== undefined) return known
  const decoder = findSuperset(charset, { fatal: true })
  if (decoder === null) return null
  const decode = (bytes) => {
    try {
      return decoder.decode(bytes)
    } catch {
      return null
    }
  }
  FATAL.set(charset, decode)
  return decode
}

/** @returns {TextDecoder | null} null if the charset is no superset of ASCII, or the Encoding Standard has it not */
function findSuperset (charset, options) {
  const decoder = findDecoder(charset, options)
  return decoder === null || NOT_ASCII.includes(decoder.encoding) ? null : decoder
}

module.exports = { checkDefault, decodeLatin1, decodeUtf8, fatalDecoderOf, formCharsetOf, partDecoderOf }
