'use strict'

// What differs between the headers of parts of a form, of another multipart type, and of a form as multer reads it.
// docs/architecture-uploads.md has the table. The rules are shared and frozen: a copy for each header takes longer than
// the header.

const contentType = require('content-type')
const { fatalDecoderOf } = require('./form-charsets')
const { CONTROL, MAX_PARAMETERS, TOO_MANY_PARAMETERS } = require('./fields')

const TOKEN = "[!#$%&'*+.^_`|~\\w-]"
const FORM_DATA = /^(form-data)[ \t]*(?=;|$)/i
const ANY_DISPOSITION = new RegExp(`^(${TOKEN}+)[ \\t]*(?=;|$)`)
const ANY_CONTROL = /[^\t\x20-\x7E\x80-\uFFFF]/
const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/
// A type with parameters, without anything more (RFC 9110, section 8.3.1).
const WHOLE_TYPE = new RegExp(
  `^${TOKEN}+/${TOKEN}+(?:[ \\t]*;[ \\t]*${TOKEN}*=(?:"[^"\\\\]*(?:\\\\[^][^"\\\\]*)*"|${TOKEN}+))*$`)
const TEXT = { type: 'text/plain', charset: undefined } // RFC 7578, section 4.4
const OCTETS = 'application/octet-stream'
const CONTROL_OF_NAME = /\p{Cc}/u
const SEPARATOR = /[/\\]/ // also on systems where a name may have a backslash
const DRIVES = /^(?:[a-z]:)+/i
const DOTS = /^[.\s]*$/ // Windows ignores dots and blanks at the end of a name, so that `.. ` is `..`

/** What browsers write, and most other clients, some in lower case. One expression takes a fraction of the time. */
const createOrdinary = (control) => new RegExp([
  `^[Cc]ontent-[Dd]isposition: form-data; name="([^"\\\\%${control}]+)"`,
  `(?:; filename="([^"\\\\/%${control}]*[^"\\\\/%.${control}])")?`,
  '(?:\\r\\n[Cc]ontent-[Tt]ype: ([a-z]+/[a-z\\d.+-]+))?$'
].join(''), 'u')

/**
 * @typedef {object} Rules
 * @property {RegExp} ordinary a header that is read at once: a name, maybe a file name, maybe a type
 * @property {RegExp} forbidden characters of a line
 * @property {boolean} takesFirst of what is repeated; otherwise it is refused
 * @property {RegExp} disposition what a Content-Disposition may be
 * @property {boolean} isForm whether each part has a Content-Disposition, and one with `filename=""` is a form control
 *   to which the user gave no file
 * @property {boolean} isNamed whether each part has a name
 * @property {boolean} isIdentity whether a Content-Transfer-Encoding may change nothing
 * @property {boolean} prefersExtended `filename*` to `filename`
 * @property {typeof fatalDecoderOf} decoderOf charsets of `filename*`
 * @property {(text: string) => string} unquote undoes the escapes of a value in quotes
 * @property {(text: string) => string} unescape undoes what is left of them in a name, once that is measured
 * @property {(path: string, split: Function) => { filename: string, folder: string }} splitPath
 *   `split` throws for too many pieces
 * @property {boolean} emptyIsText whether a part with `filename=""` is a field, unless its type is that of bytes
 * @property {(field: string | undefined, fail: Function) => { type: string, charset: string | undefined }} parseType
 */

/** @type {Rules} */
const FORM = Object.freeze({
  ordinary: createOrdinary('\\p{Cc}'),
  forbidden: CONTROL,
  takesFirst: false,
  disposition: FORM_DATA,
  isForm: true,
  isNamed: true,
  isIdentity: true,
  prefersExtended: false, // RFC 7578, section 4.2, forbids it
  decoderOf: fatalDecoderOf,
  unquote: unquoteOnce,
  unescape: (name) => name,
  splitPath,
  emptyIsText: false,
  parseType
})

/** @type {Rules} */
const OTHER_TYPE = Object.freeze({
  ...FORM,
  disposition: ANY_DISPOSITION,
  isForm: false,
  isNamed: false,
  isIdentity: false
})

/**
 * Everything in which the drop-in reads a header otherwise than `multipart()`; docs/multer.md says what multer itself
 * does otherwise.
 *
 * @type {Omit<Rules, 'decoderOf'>}
 */
const MULTER = {
  ...FORM,
  ordinary: createOrdinary('\\0-\\x1F\\x7F'), // control characters beyond ASCII stay in names
  forbidden: ANY_CONTROL, // a line with one is malformed
  takesFirst: true, // of fields and parameters that are repeated
  isNamed: false, // a part without a name has an error of its own
  isIdentity: false, // the app is told the Content-Transfer-Encoding, which is not undone
  prefersExtended: true, // `filename*` comes before `filename`
  unquote: (text) => text.replace(/\\(["\\])/g, '$1'), // a backslash in front of a quote or a backslash
  unescape, // %22 and the like also without quotes, and once the length of a name is checked
  splitPath: (path) => keepPath(lastSegment(path)), // or all of the path, with preservePath
  emptyIsText: true, // a text with `filename=""` is a field
  parseType: parseWholeType // a type that breaks the grammar is text/plain
}

/** Browsers write quotes and line ends as %22, %0D and %0A, and nothing with a backslash. */
function unquoteOnce (text) {
  if (text.includes('\\"')) return text.replace(/\\(["\\])/g, '$1')
  if (!text.includes('%')) return text
  return text.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n') // faster than one expression
}

function unescape (text) {
  if (!text.includes('%')) return text
  return text.replace(/%22/g, '"').replace(/%0D/gi, '\r').replace(/%0A/gi, '\n')
}

/**
 * The name may be a path: browsers send one if the user chooses a folder (`webkitdirectory`), and some clients send
 * that of their disk.
 *
 * @param {string} path as the client has sent it
 * @param {(text: string, separator: RegExp) => string[]} split throws for too many pieces
 * @returns {{ filename: string, folder: string }} the last segment, which is
 *   empty if that is `.` or `..`; and those before it, joined by `/`, without those that lead elsewhere
 */
function splitPath (path, split) {
  const segments = split(split(path, CONTROL_OF_NAME).join(''), SEPARATOR)
  const filename = nameOf(segments.pop())
  const folder = segments.map((segment) => segment.replace(DRIVES, '')).filter((segment) => !DOTS.test(segment))
  return { filename, folder: folder.join('/') }
}

const nameOf = (segment) => segment === '.' || segment === '..' ? '' : segment

/** Option `preservePath` of multer. */
const keepPath = (path) => ({ filename: unescape(path), folder: '' })

/** Of a path with either slash; empty if that is `.` or `..`. */
const lastSegment = (path) => nameOf(path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1))

const hasMany = (field) => field.split(';', MAX_PARAMETERS + 2).length > MAX_PARAMETERS + 1

function parseType (field, fail) {
  if (field === undefined) return TEXT
  if (hasMany(field)) fail('header.invalid', TOO_MANY_PARAMETERS)
  const { type, parameters: { charset } } = contentType.parse(field)
  return { type: MEDIA_TYPE.test(type) ? type : OCTETS, charset: charset?.toLowerCase() }
}

/** What breaks the grammar counts as text. */
function parseWholeType (field) {
  if (field === undefined || hasMany(field) || !WHOLE_TYPE.test(field)) return TEXT
  const { type, parameters: { charset } } = contentType.parse(field)
  return { type, charset }
}

module.exports = { FORM, MULTER, OCTETS, OTHER_TYPE, keepPath }
