'use strict'

// Reads the header of a part as multer does: what cannot be read is left out,
// and only lines that are no fields are errors.

const { malformedHeader } = require('./errors')
const parseParameters = require('./parameters')
const { decoderOf } = require('./charset')

const LINE = /^([!#$%&'*+.^_`|~\w-]+):([\t\x20-\x7E\x80-\xFF]*)$/
const TRIMMED = /^[ \t]*(.*[^ \t])?/ // in linear time, however many blanks the value has
const DISPOSITION = /^form-data(?=[ \t;]|$)/i
const MEDIA_TYPE = /^([!#$%&'*+.^_`|~\w-]+\/[!#$%&'*+.^_`|~\w-]+)/
const OCTETS = 'application/octet-stream'
const TEXT = 'text/plain'
const ESCAPED = /%(?:22|0D|0A)/gi // as browsers escape names
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
 * @property {string | undefined} filename empty or undefined: the file is left out
 * @property {string} type
 * @property {string} encoding the Content-Transfer-Encoding
 * @property {string | undefined} charset
 *
 * @param {string} text each character is a byte
 * @param {{ decodeName: (text: string) => string, preservePath: boolean }} options
 * @returns {PartHeader | null} null for a part that is left out
 * @throws {Error} for a line that is no field
 */
function parseHeader (text, { decodeName, preservePath }) {
  const ordinary = ORDINARY.exec(text)
  if (ordinary !== null) {
    const [, name, filename, type = TEXT] = ordinary
    const decoded = filename === undefined ? undefined : decodeName(filename)
    return create(decodeName(name), decoded, { type, charset: undefined }, '7bit')
  }
  const fields = parseLines(text)
  const disposition = parseDisposition(fields.get('content-disposition') ?? '', decodeName)
  if (disposition === null) return null
  const filename = disposition.get('filename*') ?? disposition.get('filename')
  const isKept = preservePath || filename === undefined
  const encoding = fields.get('content-transfer-encoding')?.toLowerCase() ?? '7bit'
  const type = parseType(fields.get('content-type') ?? '')
  const header = create(disposition.get('name'), isKept ? filename : lastSegment(filename), type, encoding, filename)
  header.name = unescape(header.name)
  header.filename = unescape(header.filename)
  return header
}

/** @param {string} [given] the file name with its path, if that may be longer */
function create (name, filename, { type, charset }, encoding, given = filename) {
  const isFile = Boolean(given) || type === OCTETS
  return { name, nameLength: name?.length ?? 0, isFile, filename, type, encoding, charset }
}

const unescape = (text) => text?.includes('%') ? text.replace(ESCAPED, decodeURIComponent) : text

/** @returns {Map<string, string>} the first of each name, in lower case */
function parseLines (text) {
  const fields = new Map()
  for (const line of text.replace(/\r\n(?=[ \t])/g, '').split('\r\n')) {
    const [, name, value] = LINE.exec(line) ?? fail()
    const key = name.toLowerCase()
    const [, trimmed = ''] = TRIMMED.exec(value)
    if (!fields.has(key)) fields.set(key, trimmed)
  }
  return fields
}

function fail () {
  throw malformedHeader()
}

function parseDisposition (value, decodeName) {
  const match = DISPOSITION.exec(value)
  return match === null ? null : parseParameters(value.slice(match[0].length), decodeName, decoderOf)
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
  const segment = filename.split(/[/\\]/).at(-1)
  return segment === '.' || segment === '..' ? '' : segment
}

module.exports = parseHeader
