'use strict'

// Reads the header of a part as multer does. Where multer cannot read the
// Content-Disposition, and so drops the part without a word, it is read, or
// refused, as `multipart()` does.

const { FOLD, MAX_LINES, readFields } = require('../parts/fields')
const { parseHeader: parseAny } = require('../parts/header')
const { MulterError, malformedHeader } = require('./errors')
const parseParameters = require('./parameters')
const { decoderOf } = require('./charset')

const FORBIDDEN = /[^\t\x20-\x7E\x80-\xFF]/
const DISPOSITION = /^form-data(?=[ \t;]|$)/i
const MEDIA_TYPE = /^([!#$%&'*+.^_`|~\w-]+\/[!#$%&'*+.^_`|~\w-]+)/
const OCTETS = 'application/octet-stream'
const TEXT = 'text/plain'
// What browsers and most other clients write. Reading it with one expression
// takes a fifth of the time.
const ORDINARY = new RegExp([
  /^Content-Disposition: form-data; name="([ !#$&-[\]-~\x80-\xFF]*)"/,
  /(?:; filename="([ !#$&-.0-[\]-~\x80-\xFF]*[ !#$&--0-[\]-~\x80-\xFF])")?/,
  /(?:\r\nContent-Type: ([a-z]+\/[a-z\d.+-]+))?$/
].map(({ source }) => source).join(''))

/**
 * @typedef {object} PartHeader
 * @property {string | undefined} name
 * @property {number} nameLength with its escapes
 * @property {boolean} isFile
 * @property {boolean} isUnchosen a form control to which the user gave no file, unless bytes follow
 * @property {string | undefined} filename
 * @property {string} type
 * @property {string} encoding the Content-Transfer-Encoding
 * @property {string | undefined} charset
 *
 * @param {string} text each character is a byte
 * @param {{ decodeName: (text: string) => string, preservePath: boolean }} options
 * @returns {PartHeader}
 * @throws {Error} for a line that is no field, and a Content-Disposition that nothing can read
 */
function parseHeader (text, options) {
  const ordinary = ORDINARY.exec(text)
  if (ordinary !== null) {
    const [, name, filename, type = TEXT] = ordinary
    const decoded = filename && options.decodeName(filename)
    const parameters = { name: options.decodeName(name), filename: decoded, ...kindOf(decoded, type) }
    return create(parameters, { type, charset: undefined }, '7bit')
  }
  const fields = findFields(text)
  const encoding = fields.get('content-transfer-encoding')?.toLowerCase() ?? '7bit'
  const type = parseType(fields.get('content-type') ?? '')
  const header = create(parseDisposition(fields.get('content-disposition') ?? '', type, options), type, encoding)
  header.name = unescape(header.name)
  header.filename = unescape(header.filename)
  return header
}

function create ({ name, filename, isFile, isUnchosen }, { type, charset }, encoding) {
  return { name, nameLength: name?.length ?? 0, isFile, isUnchosen, filename, type, encoding, charset }
}

/** @param {string | undefined} path if it is empty, only octets make a file of it, as browsers write them */
function kindOf (path, type) {
  const isUnchosen = path === '' && type === OCTETS
  return { isFile: Boolean(path) || isUnchosen, isUnchosen }
}

/** As browsers escape names. */
function unescape (text) {
  if (!text?.includes('%')) return text
  return text.replace(/%22/g, '"').replace(/%0D/gi, '\r').replace(/%0A/gi, '\n') // faster than one expression
}

/** @returns {Map<string, string>} the first of each name, in lower case */
function findFields (text) {
  const fields = new Map()
  if (text.split('\r\n', MAX_LINES + 1).length > MAX_LINES) fail()
  for (const [name, value] of readFields(text.replace(FOLD, ''), FORBIDDEN, fail)) {
    if (!fields.has(name)) fields.set(name, value)
  }
  return fields
}

function fail () {
  throw malformedHeader()
}

function parseDisposition (value, { type }, { decodeName, preservePath }) {
  const match = DISPOSITION.exec(value)
  const parameters = match === null ? null : parseParameters(value.slice(match[0].length), decodeName, decoderOf)
  if (parameters === null) return readLeniently(value, decodeName)
  const path = parameters.get('filename*') ?? parameters.get('filename')
  const filename = preservePath || path === undefined ? path : lastSegment(path)
  return { name: parameters.get('name'), filename, ...kindOf(path, type) }
}

function readLeniently (value, decodeName) {
  const chunk = Buffer.from(`Content-Disposition: ${value}`, 'latin1')
  const decode = (bytes, start, end) => decodeName(bytes.latin1Slice(start, end))
  const { name, filename, isUnchosen } = parseAny({ chunk, start: 0, end: chunk.length }, decode, (type) => {
    throw type === 'name.missing' ? new MulterError('MISSING_FIELD_NAME') : malformedHeader()
  })
  return { name, filename, isFile: filename !== undefined, isUnchosen }
}

/** What cannot be read counts as text. */
function parseType (value) {
  const [type] = MEDIA_TYPE.exec(value) ?? []
  const parameters = type === undefined ? null : parseParameters(value.slice(type.length), (text) => text, decoderOf)
  if (parameters === null) return { type: TEXT, charset: undefined }
  return { type: type.toLowerCase(), charset: parameters.get('charset') }
}

/** Of a path with either slash; empty if that is `.` or `..`. */
function lastSegment (filename) {
  const segment = filename.slice(Math.max(filename.lastIndexOf('/'), filename.lastIndexOf('\\')) + 1)
  return segment === '.' || segment === '..' ? '' : segment
}

module.exports = parseHeader
