'use strict'

// Reads the header of a part of a form (RFC 7578, section 4) as browsers write it (WHATWG HTML,
// "multipart/form-data encoding algorithm"), or mailers (RFC 2183); or of a part of another multipart type (RFC 2046).

const { Buffer } = require('../../core/platform')
const contentType = require('content-type')
const { decodeUtf8 } = require('./charset')
const decodeExtended = require('./extended-value')
const { FOLD, MAX_PARAMETERS, TOO_MANY_PARAMETERS, readFields, readParameters } = require('./fields')
const splitPath = require('./client-path')

// What browsers and most other clients write. Reading it with one expression
// takes 0.2 to 0.3 us instead of 1 to 3.
const ORDINARY = new RegExp([
  /^Content-Disposition: form-data; name="([^"\\%\p{Cc}]+)"/,
  /(?:; filename="([^"\\/%\p{Cc}]*[^"\\/%.\p{Cc}])")?/,
  /(?:\r\nContent-Type: ([a-z]+\/[a-z\d.+-]+))?$/
].map(({ source }) => source).join(''), 'u')
const FORM_DATA = /^(form-data)[ \t]*(?=;|$)/i
const ANY_DISPOSITION = /^([!#$%&'*+.^_`|~\w-]+)[ \t]*(?=;|$)/
// A backslash may quote what follows, but not the quote that ends the line:
// browsers write a backslash at the end of a name as it is.
const QUOTED = /"([^"\\]*(?:(?:\\(?="$)|\\[^])[^"\\]*)*)"/.source
const UNQUOTED = /([^\t\v\f ";]+)/.source
const KEY = /([!#$%&'*+.^_`|~\w-]+)/.source
const PARAMETER = new RegExp(`;[ \\t]*(?:${KEY}[ \\t]*=[ \\t]*(?:${QUOTED}|${UNQUOTED})[ \\t]*(?=;|$))?`, 'y')
const ENCODED_WORD = /^=\?[^?]+\?[bq]\?.*\?=$/i // RFC 2047: .NET writes one beside `filename*`
const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/
const TEXT = { type: 'text/plain', parameters: {} } // RFC 7578, section 4.4
const CONTROL = /[\0\r\n]/
const IDENTITY = /^(?:7bit|8bit|binary)$/i
// Escapes of a value, control characters or folders of a file name: each takes as long as 50 to 90 bytes.
const MAX_TOKENS = 64

/**
 * @typedef {object} PartHeader
 * @property {string} name of the field; empty if a part that is not of a form has none
 * @property {string | undefined} filename undefined for a field; the
 *   last segment of a path, without control characters, or an empty string
 * @property {string} folder the segments before it that do not lead elsewhere, such as `photos/2024`
 * @property {boolean} isUnchosen a form control to which the user gave no file
 * @property {string} type media type in lower case
 * @property {string | undefined} charset in lower case
 *
 * @param {{ chunk: Buffer, start: number, end: number }} bytes the header, without the CRLF that ends it
 * @param {(bytes: Buffer, start: number, end: number) => string} decode of names
 * @param {(type: string, detail?: string) => never} fail throws an error of this type
 * @param {boolean} [isForm] form-data, of which each part needs a name
 * @returns {PartHeader}
 */
function parseHeader ({ chunk, start, end }, decode, fail, isForm = true) {
  // No charset may change where lines and parameters begin. In UTF-8, they begin
  // at the same bytes; in others, names are decoded once they are found.
  const isUtf8 = decode === decodeUtf8
  const text = isUtf8 ? decode(chunk, start, end) : chunk.latin1Slice(start, end)
  const ordinary = isUtf8 ? ORDINARY.exec(text) : null
  if (ordinary !== null) {
    const [, name, filename, type = TEXT.type] = ordinary
    return { name, filename, folder: '', isUnchosen: false, type, charset: undefined }
  }
  const fields = findFields(isForm ? text : text.replace(FOLD, ''), fail)
  const { name, filename } = decodeNames(parseDisposition(fields['content-disposition'], fail, isForm))
  if (isForm) checkForm(name, fields, fail)
  const field = fields['content-type']
  if (field?.split(';', MAX_PARAMETERS + 2).length > MAX_PARAMETERS + 1) fail('header.invalid', TOO_MANY_PARAMETERS)
  const { type, parameters } = field === undefined ? TEXT : contentType.parse(field)
  return {
    name: name ?? '',
    ...(filename ? splitPath(filename, splitterOf(fail)) : { filename, folder: '' }),
    isUnchosen: isForm && filename === '',
    type: MEDIA_TYPE.test(type) ? type : 'application/octet-stream',
    charset: parameters.charset?.toLowerCase()
  }

  function decodeNames ({ name, filename, 'filename*': extended }) {
    const isNamed = extended === undefined || (filename && !ENCODED_WORD.test(filename))
    return {
      name: decodeName(name),
      filename: isNamed ? decodeName(filename) : decodeExtended(extended) ?? failToDecode()
    }
  }

  function failToDecode () {
    fail('disposition.invalid', ': filename* does not decode')
  }

  function decodeName (name) {
    return isUtf8 || name === undefined ? name : decode(Buffer.from(name, 'latin1'), 0, name.length)
  }
}

/** What only a form forbids: of other multipart types, the app gets all fields of a part. */
function checkForm (name, { 'content-transfer-encoding': encoding }, fail) {
  if (name === undefined) fail('name.missing')
  if (encoding !== undefined && !IDENTITY.test(encoding)) fail('encoding.unsupported')
}

/** @returns {Record<string, string | undefined>} the values of those fields that count */
function findFields (text, fail) {
  const fields = {
    'content-disposition': undefined,
    'content-type': undefined,
    'content-transfer-encoding': undefined
  }
  for (const [name, value] of readFields(text, CONTROL, fail)) {
    if (!Object.hasOwn(fields, name)) continue
    if (fields[name] !== undefined) fail('header.repeated')
    fields[name] = value
  }
  return fields
}

/**
 * Of other parameters, those that are pieces of a file name (RFC 2231, section 3) must not make text of a file.
 * RFC 7578, section 4.2, forbids `filename*`, but clients send it, some of them alone. An attachment is a file, be it
 * without a name.
 */
function parseDisposition (value, fail, isForm) {
  const parameters = { name: undefined, filename: undefined, 'filename*': undefined }
  if (value === undefined && !isForm) return parameters
  const [begin, kind] = (isForm ? FORM_DATA : ANY_DISPOSITION).exec(value ?? '') ?? fail('disposition.invalid')
  let hasPieces = false
  const refuse = (detail) => fail('disposition.invalid', detail)
  for (const [, key, quoted, token] of readParameters(value, begin.length, PARAMETER, refuse)) {
    const name = key?.toLowerCase()
    hasPieces ||= name?.startsWith('filename*')
    if (!Object.hasOwn(parameters, name)) continue
    if (parameters[name] !== undefined) fail('disposition.invalid')
    parameters[name] = quoted === undefined ? token : unquote(quoted, fail)
  }
  if (hasPieces && !parameters.filename) parameters['filename*'] ??= ''
  else if (kind.toLowerCase() === 'attachment') parameters.filename ??= ''
  return parameters
}

/** Browsers write quotes and line ends as %22, %0D and %0A, and nothing with a backslash. */
function unquote (text, fail) {
  if (hasManyEscapes(text)) fail('disposition.invalid', `: more than ${MAX_TOKENS} escapes in a value`)
  if (text.includes('\\"')) return text.replace(/\\(["\\])/g, '$1')
  return text.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n') // faster than one expression
}

const splitterOf = (fail) => (text, separator) => {
  const pieces = text.split(separator, MAX_TOKENS + 2)
  if (pieces.length <= MAX_TOKENS + 1) return pieces
  return fail('disposition.invalid', `: more than ${MAX_TOKENS} folders or control characters in a file name`)
}

const ESCAPES = /\\"|\\\\|%22|%0[ad]/i

const hasManyEscapes = (text) => text.length > MAX_TOKENS && text.split(ESCAPES, MAX_TOKENS + 2).length > MAX_TOKENS + 1

module.exports = { CONTROL, hasManyEscapes, parseHeader }
