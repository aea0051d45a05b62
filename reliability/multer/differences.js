'use strict'

// The differences that are meant, each in one sentence. What multer makes of the
// same form in other words, or with another filter, must be what is seen; so
// nothing is allowed that the sentence does not say.

const { isDeepStrictEqual } = require('node:util')
const { parseDisposition } = require('busboy/lib/utils') // that of multer's own parser
const parseHeader = require('../../lib/uploads/parts/header')
const { hide, NAMELESS, readForm, writeForm } = require('./form-text')

/** @typedef {import('./form-text').Form} Form */

const MAX_HEADER = 16 * 1024 // bytes; more than that is malformed in both
const DISPOSITION = /^Content-Disposition:((?:[^\r]|\r\n[ \t])*)/
const OCTETS = '\r\nContent-Type: application/octet-stream'

/**
 * Sentence -> the form that multer is to read instead.
 *
 * @type {Array<[string, (form: Form, options: object) => Form]>}
 */
const REWORDINGS = [
  [
    'A part whose Content-Disposition multer cannot read, and drops, is read or refused as multipart() does.',
    (form, { preservePath }) =>
      changeParts((part) => isDropped(part) ? { ...part, header: inOtherWords(part.header, preservePath) } : part)(form)
  ],
  [
    'A file name in pieces makes no field of a file: it is refused.',
    changeParts((part) => /filename\*0=/.test(part.header) ? { ...part, header: 'malformed' } : part)
  ],
  [
    'A part of bytes without a filename is a field; multer drops it.',
    changeParts((part) => /filename/i.test(part.header) ? part : { ...part, header: part.header.replace(OCTETS, '') })
  ],
  [
    'A file whose name is a folder, or empty and in front of bytes, is one without a name; multer drops it.',
    (form, options) => changeParts((part) => withName(part, options))(form)
  ],
  [
    'A part over limits.parts is refused by its header, whatever else is wrong with it; multer reads it first.',
    (form, { limits: { parts: max } }) => isReadable(form.parts[max]) ? withEmpty(form, max) : form
  ],
  [
    'A form that ends within the header of a part lacks its end, whatever that header is.',
    changeParts((part) => part.value === null && part.header.length <= MAX_HEADER ? { ...part, header: '' } : part)
  ],
  [
    'A boundary in the place of the header of a part is the first line of that header, which is malformed.',
    changeParts((part) => ({ ...part, header: hide(part.header) }))
  ],
  [
    'A form that is cut within its last line, behind the boundary, lacks its end.',
    changeLast((text) => text.endsWith('--b--\r') ? text.slice(0, -6) + hide(text.slice(-6)) : text)
  ],
  [
    'A boundary directly behind the header of a part ends that part, which is empty.',
    (form) => ({ ...form, isDense: false }) // it is written with a line end
  ],
  [
    'A line that merely begins with the boundary is a line of its value, or of what is in front of the form.',
    (form) => hideInValues({ ...form, before: hide(form.before) })
  ],
  [
    'A first boundary that does not begin a line counts; multer loses the part behind it.',
    (form) => ({ ...form, isWithin: false }) // it is written on a line of its own
  ],
  [
    'Blanks may follow a boundary.',
    (form) => ({ ...form, hasBlanks: false }) // it is written without them
  ],
  [
    'Nothing behind the last boundary is read; multer leaves out one part, and reads the next.',
    (form) => hide(form.after) === form.after ? form : { ...form, after: '' }
  ],
  [
    'A value in a charset of the Encoding Standard is decoded; multer gives undefined.',
    changeParts((part) => isInGbk(part) ? inUtf8(part) : part)
  ]
]

const SENTENCES = {
  filter: 'A filter that answers later is asked about a file once it has answered about the one before.',
  total: 'A form over limits.total, which follows from other limits, is refused by its length.',
  until: 'Parts behind a file are read until its engine has failed.',
  engine: 'An error in a part behind a file counts if its engine has not failed yet.',
  before: 'After an error, the request has what came before that part alone; a file that is not stored has its place.',
  first: 'Of several errors of a form, the one is reported that comes first in the form.',
  removal: 'A path to which two files of a form were written is removed once; multer reports the second removal.'
}

/** Whether the header of a part is there, and not over the limit, which is malformed in both. */
const isReadable = (part) => typeof part?.value === 'string' && part.header.length <= MAX_HEADER

/** Without the parts behind one, which is empty. */
function withEmpty (form, index) {
  const empty = { header: 'X: y', value: '', isEnded: true }
  return { ...form, parts: [...form.parts.slice(0, index), empty], isEnded: true }
}

function changeParts (change) {
  return (form) => ({ ...form, parts: form.parts.map(change) })
}

const hideInValues = changeParts((part) => ({ ...part, value: part.value && hide(part.value) }))

/** Changes what comes last in a form that has no end. */
function changeLast (change) {
  return (form) => {
    const part = form.parts.at(-1)
    if (form.isEnded || part?.value === null) return form
    if (part === undefined) return { ...form, before: change(form.before) }
    return { ...form, parts: [...form.parts.slice(0, -1), { ...part, value: change(part.value) }] }
  }
}

/** Whether a value is in that charset: it has no effect on files. */
function isInGbk ({ header, value }) {
  const isField = !header.includes('filename') || header.includes('filename=""')
  return value !== null && header.includes('charset=gbk') && isField
}

/** Not one over the limit, which is malformed. */
function isDropped ({ header, value }) {
  if (value === null || header.length > MAX_HEADER || hasMalformedLine(header)) return false
  const [, disposition = ''] = DISPOSITION.exec(header) ?? []
  return typeOf(unfold(disposition)) !== 'form-data'
}

const typeOf = (disposition) => parseDisposition(disposition.trim(), (text) => text)?.type

const unfold = (text) => text.replace(/\r\n(?=[ \t])/g, '')

/** Of those that ./case.js draws; or it is a boundary. */
const hasMalformedLine = (header) => /^--b|\r\nno field/.test(header) || header.includes('\x01')

/** As multipart() reads it: in words that multer reads, or as a line that is malformed. */
function inOtherWords (header, isPathKept) {
  const line = unfold(DISPOSITION.exec(header)?.[0] ?? '')
  const short = line.replace(/;$/, '')
  if (typeOf(short.slice(short.indexOf(':') + 1)) === 'form-data') return header.replace(DISPOSITION, () => short)
  const chunk = Buffer.from(line, 'latin1')
  const quoted = (text) => `"${text.replace(/["\\]/g, '\\$&')}"`
  try {
    const { name, filename, folder } = parseHeader({ chunk, start: 0, end: chunk.length }, latin1, refuse)
    const path = isPathKept && folder !== '' ? `${folder}/${filename}` : filename
    const more = path === undefined ? '' : `; filename=${quoted(path)}`
    return header.replace(DISPOSITION, () => `Content-Disposition: form-data; name=${quoted(name)}${more}`)
  } catch {
    return 'malformed'
  }
}

function refuse (type) {
  throw new Error(type)
}

const latin1 = (bytes, start, end) => bytes.latin1Slice(start, end)

/** A name that ./form-text.js takes away again. */
function withName ({ header, value, ...part }, { defParamCharset, preservePath }) {
  const isWide = defParamCharset === 'utf-16le' // in which one byte is nothing
  const empty = isWide ? /filename=".?"/ : /filename=""/
  const isUnchosen = empty.test(header) && header.includes(OCTETS)
  const isFolder = !preservePath && !isWide && header.includes('filename=".."')
  if (!(isUnchosen && value) && !isFolder) return { ...part, header, value }
  return { ...part, header: header.replace(/filename=".{0,2}"/, `filename="${NAMELESS}"`), value }
}

function inUtf8 ({ header, value, ...part }) {
  const text = new TextDecoder('gbk').decode(Buffer.from(value, 'latin1'))
  const bytes = Buffer.from(text).toString('latin1')
  return { ...part, header: header.replace('charset=gbk', 'charset=utf-8'), value: bytes }
}

/**
 * @param {import('./case').Case} drawn
 * @returns {{ sentences: string[], form: Form, text: string }} the form in words that both read alike
 */
function reword ({ text, options }) {
  const sentences = []
  let form = readForm(text)
  for (const [sentence, rewrite] of REWORDINGS) {
    const rewritten = rewrite(form, options)
    if (!isDeepStrictEqual(rewritten, form)) sentences.push(sentence)
    form = rewritten
  }
  return { sentences, form, text: writeForm(form) }
}

module.exports = { SENTENCES, reword }
