'use strict'

// Reads the header of a part of a form (RFC 7578, section 4) as browsers write it (WHATWG HTML,
// "multipart/form-data encoding algorithm"), or mailers (RFC 2183); or of a part of another multipart type (RFC 2046).

const { Buffer } = require('../../core/platform')
const { decodeLatin1, decodeUtf8 } = require('./form-charsets')
const { readFields, readParameters } = require('./fields')
const { FORM, OCTETS } = require('./rules')

const ENCODED_WORD = /^=\?[^?]+\?[bq]\?.*\?=$/i // RFC 2047: .NET writes one beside `filename*`
// More characters than RFC 8187 has may stand for themselves, as clients escape fewer.
const EXTENDED = /^([\w!#$%&+^`{}~-]+)'[\w-]*'([!-$&-~]*(?:%[\da-fA-F]{2}[!-$&-~]*)*)$/
const NOT_ASCII = [/[^\0-\x7F]/g, /[^\0-\x7F]/gu] // Java writes one `?` for each half of a pair, or one for both
const IDENTITY = /^(?:7bit|8bit|binary)$/i
const USUAL_ENCODING = '7bit' // RFC 2045, section 6.1
// Escapes of a value, control characters or folders of a file name: each takes longer than many ordinary bytes.
const MAX_TOKENS = 64
const ESCAPES = /\\"|\\\\|%22|%0[ad]/i

/**
 * @typedef {object} PartHeader
 * @property {string} name of the field; empty if a part has none, and its rules do not require one
 * @property {number} nameLength characters, before what browsers escape is undone
 * @property {string | undefined} filename undefined for a field; the
 *   last segment of a path, without control characters, or an empty string
 * @property {string} folder the segments before it that do not lead elsewhere, such as `photos/2024`
 * @property {boolean} isUnchosen a form control to which the user gave no file
 * @property {string} type media type in lower case
 * @property {string} encoding the Content-Transfer-Encoding, in lower case
 * @property {string | undefined} charset
 *
 * @param {{ chunk: Buffer, start: number, end: number }} bytes the header, without the CRLF that ends it
 * @param {(bytes: Buffer, start: number, end: number) => string} decode of names
 * @param {(type: string, detail?: string) => never} fail throws an error of this type
 * @param {import('./rules').Rules} [rules]
 * @returns {PartHeader}
 */
function parseHeader ({ chunk, start, end }, decode, fail, rules = FORM) {
  // No charset may change where lines and parameters begin. In these two, they begin
  // at the same bytes; in others, names are decoded once they are found.
  const isWhole = decode === decodeUtf8 || decode === decodeLatin1
  const text = isWhole ? decode(chunk, start, end) : chunk.latin1Slice(start, end)
  const ordinary = isWhole ? rules.ordinary.exec(text) : null
  if (ordinary === null) {
    const decodeName = (name) => isWhole ? name : decode(Buffer.from(name, 'latin1'), 0, name.length)
    return readHeader(findFields(text, rules, fail), decodeName, fail, rules)
  }
  const [, name, filename, type = 'text/plain'] = ordinary
  return {
    name,
    nameLength: name.length,
    filename,
    folder: '',
    isUnchosen: false,
    type,
    encoding: USUAL_ENCODING,
    charset: undefined
  }
}

/** @returns {Record<string, string | undefined>} the values of those fields that count */
function findFields (text, { forbidden, takesFirst }, fail) {
  const fields = {
    'content-disposition': undefined,
    'content-type': undefined,
    'content-transfer-encoding': undefined
  }
  readFields(text, forbidden, fail, (name, value) => {
    if (!Object.hasOwn(fields, name)) return
    if (fields[name] !== undefined && !takesFirst) fail('header.repeated')
    fields[name] ??= value
  })
  return fields
}

function readHeader (fields, decodeName, fail, rules) {
  // 1. Content-Disposition, with the names of the field and of the file (RFC 7578, section 4.2)
  const parameters = parseDisposition(fields['content-disposition'], fail, rules)
  const name = decodeName(parameters.name ?? '')
  const path = choosePath(parameters, decodeName, fail, rules)
  if (rules.isNamed && parameters.name === undefined) fail('name.missing')
  // 2. Content-Transfer-Encoding, which is deprecated (section 4.7)
  const encoding = fields['content-transfer-encoding']?.toLowerCase() ?? USUAL_ENCODING
  if (rules.isIdentity && !IDENTITY.test(encoding)) fail('encoding.unsupported')
  // 3. Content-Type (section 4.4)
  const { type, charset } = rules.parseType(fields['content-type'], fail)
  // 4. What the client calls the file: only the last segment counts (section 4.2)
  const isEmpty = path === '' && parameters['filename*'] === undefined
  const isFile = path !== undefined && !(isEmpty && rules.emptyIsText && type !== OCTETS)
  const { filename, folder } = path ? rules.splitPath(path, splitterOf(fail)) : { filename: path, folder: '' }
  return {
    name: rules.unescape(name),
    nameLength: name.length,
    filename: isFile ? filename : undefined,
    folder,
    isUnchosen: isFile && path === '' && rules.isForm,
    type,
    encoding,
    charset
  }
}

/**
 * RFC 7578, section 4.2, forbids `filename*`, but clients send it, some of them without `filename`. Pieces of a file
 * name, such as `filename*0` (RFC 2231, section 3), are not joined; but a part that has them is a file, and must not be
 * taken for a field. An attachment is a file as well, even without a name.
 */
function parseDisposition (value, fail, { disposition, isForm, takesFirst, unquote }) {
  const parameters = { name: undefined, filename: undefined, 'filename*': undefined }
  if (value === undefined && !isForm) return parameters
  const [begin, kind] = disposition.exec(value ?? '') ?? fail('disposition.invalid')
  let hasPieces = false
  const refuse = (detail) => fail('disposition.invalid', detail)
  for (const [, key, quoted, token] of readParameters(value, begin.length, refuse)) {
    const name = key?.toLowerCase()
    hasPieces ||= name?.startsWith('filename*')
    if (!Object.hasOwn(parameters, name)) continue
    if (parameters[name] !== undefined) {
      if (takesFirst) continue
      refuse()
    }
    if (hasManyEscapes(quoted ?? token)) refuse(`: more than ${MAX_TOKENS} escapes in a value`)
    parameters[name] = quoted === undefined ? token : unquote(quoted)
  }
  if (hasPieces && !parameters.filename) parameters['filename*'] ??= ''
  else if (kind.toLowerCase() === 'attachment') parameters.filename ??= ''
  return parameters
}

/** @returns {string | undefined} what the client calls the file; undefined for a field */
function choosePath ({ filename, 'filename*': extended }, decodeName, fail, { decoderOf, prefersExtended }) {
  const plain = filename && decodeName(filename)
  if (extended === undefined) return plain
  const decoded = decodeExtended(extended, decoderOf)
  const isPlain = plain && !(prefersExtended ? decoded : isLeftOf(decoded, plain))
  return isPlain ? plain : decoded ?? fail('disposition.invalid', ': filename* does not decode')
}

/**
 * Of a parameter such as `filename*`, which has its charset, and bytes as `%E2` (RFC 8187).
 *
 * @param {string} value such as `utf-8''%C3%A9.png`
 * @param {(charset: string) => ((bytes: Buffer) => string | null) | null} decoderOf charsets, in lower case
 * @returns {string | null} null if it is malformed, or in another charset than it says, or in one that is not accepted
 */
function decodeExtended (value, decoderOf) {
  const [, charset, escaped] = EXTENDED.exec(value) ?? []
  const decode = charset === undefined ? null : decoderOf(charset.toLowerCase())
  return decode?.(percentDecode(escaped)) ?? null
}

/** @param {string} text of ASCII, in which each `%` begins an escape */
const percentDecode = (text) => Buffer.from(globalThis.unescape(text), 'latin1')

/** Whether `plain` is what a client makes of a name that is not ASCII, beside a `filename*` that is right. */
function isLeftOf (name, plain) {
  if (ENCODED_WORD.test(plain)) return true
  return name !== null && NOT_ASCII.some((characters) => name.replace(characters, '?') === plain)
}

const splitterOf = (fail) => (text, separator) => {
  const pieces = text.split(separator, MAX_TOKENS + 2)
  if (pieces.length <= MAX_TOKENS + 1) return pieces
  return fail('disposition.invalid', `: more than ${MAX_TOKENS} folders or control characters in a file name`)
}

const hasManyEscapes = (text) => text.length > MAX_TOKENS && text.split(ESCAPES, MAX_TOKENS + 2).length > MAX_TOKENS + 1

module.exports = parseHeader
