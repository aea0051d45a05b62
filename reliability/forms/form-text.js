'use strict'

// Writes a form as it is sent, and as multer is asked about it: a character for each byte.

const { HEAD, MALFORMED, OCTETS, ODD_LINES } = require('./form')

const HEADER_END = '\r\n\r\n'
const MAX_HEADER = 16 * 1024 // bytes; more than that is malformed in both
const HIDDEN = '-~' // in front of a boundary that multer would find
const NAMELESS = '~nameless~' // the name of a file that has none
const NO_UTF8 = Buffer.from('\uE000').toString('latin1')

/**
 * @typedef {object} Piece
 * @property {number} part the part that it belongs to
 * @property {string} sent
 * @property {string} twin what multer is asked
 * @property {string} [why] they differ: a key of ./differences.js
 * @property {boolean} [isHeader]
 * @property {boolean} [isText] a beginning of it means the same to both
 */

/**
 * @param {import('./form').Form} form
 * @param {{ options?: { preservePath?: boolean }, limits?: { parts?: number } }} route
 * @returns {{ text: string, why: string[], twin: (count?: number) => string }} why multer is asked about another text,
 *   and which, with so many of its parts
 */
function writeForm ({ after, before, boundary, cut, parts }, { options = {}, limits = {} } = {}) {
  const { length } = parts
  const delimiter = `--${boundary}`
  const bytesOf = (text) => utf8(text.replaceAll('§', boundary)).replaceAll(NO_UTF8, '\xFF')
  const end = [
    { part: length, sent: `${delimiter}--`, twin: `${delimiter}--` },
    { part: length, sent: '\r\n', twin: '\r\n', isText: true },
    { part: length, ...after, isText: true }
  ]
  const whole = [
    ...length > 0 ? [{ part: -1, ...before, isText: true }] : [],
    ...parts.flatMap((part, index) => piecesOf(part, index, delimiter, options.preservePath)),
    ...cut === 'end' ? [] : end
  ].map(({ sent, twin, ...piece }) => ({ ...piece, sent: bytesOf(sent), twin: bytesOf(twin) }))
  const some = typeof cut === 'number' ? cutPieces(whole, cut, delimiter) : whole
  const pieces = withinParts(some, limits.parts, delimiter)
  const begun = (pieces.findLast(({ twin }) => twin !== '')?.part ?? -1) + 1 // parts, before it is cut
  return {
    text: pieces.map(({ sent }) => sent).join(''),
    why: [...new Set(pieces.filter(({ sent, twin }) => sent !== twin).map(({ why }) => why))],
    twin (count = length) {
      const isWhole = count >= Math.min(length, begun)
      const asked = pieces.filter(({ part }) => part < count || isWhole)
      return asked.map(({ twin }) => twin).join('') + (isWhole ? '' : `${delimiter}--\r\n`)
    }
  }
}

const utf8 = (text) => Buffer.from(text).toString('latin1')

/** @returns {Piece[]} */
function piecesOf (part, index, delimiter, isPathKept) {
  const value = valueOf(part, delimiter)
  const isDense = part.isDense && value === ''
  return [
    { sent: `${delimiter}${part.blanks}\r\n`, twin: `${delimiter}\r\n`, why: 'blanks' },
    { isHeader: true, ...headerOf(part, isPathKept, value) },
    { sent: value, twin: hide(value, delimiter), why: 'begins', isText: true },
    { sent: isDense ? '' : '\r\n', twin: '\r\n', why: 'dense', isText: true }
  ].map((piece) => ({ part: index, ...piece }))
}

function headerOf ({ field, head, line, name = null, written = name && escape(name) }, isPathKept, value) {
  const filename = written === null ? '' : `; filename="${written}"`
  const plain = `${HEAD}form-data; name="${field && escape(field)}"${filename}`
  const { sent, twin, why } = head ?? { sent: plain, twin: plain }
  const headers = { sent: `${sent}${line}${HEADER_END}`, twin: `${twin}${line}${HEADER_END}`, why }
  const isOfBytes = line === OCTETS && twin !== MALFORMED
  if (isOfBytes && !/filename/i.test(sent)) return { ...headers, twin: twin + HEADER_END, why: 'bytes' }
  const isUnchosen = isOfBytes && twin.includes('filename=""') && value !== ''
  const isFolder = !isPathKept && twin.includes('filename=".."')
  if (!isUnchosen && !isFolder) return headers
  return { ...headers, twin: headers.twin.replace(/filename="(?:\.\.)?"/, `filename="${NAMELESS}"`), why: 'nameless' }
}

const escape = (name) => name.replaceAll('\r\n', '%0D%0A').replaceAll('"', '%22')

/** Without a line that ends the part. */
function valueOf ({ content }, delimiter) {
  const isEnd = (line) =>
    line.startsWith(delimiter) && /^(?:--)?[\t ]*$|^--[\t ]*\0/.test(line.slice(delimiter.length))
  const lines = content.replaceAll('§', delimiter.slice(2)).split('\r\n')
  return lines.map((line) => isEnd(line) ? line.slice(1) : line).join('\r\n')
}

/** Changes the lines that begin with the boundary, and keeps their length. */
function hide (text, delimiter) {
  const lines = text.split('\r\n')
  return lines.map((line) => line.startsWith(delimiter) ? HIDDEN + line.slice(2) : line).join('\r\n')
}

/** Undoes that in an outcome of multer, and takes away the name of files that have none. */
function unhide (outcome, boundary) {
  const text = JSON.stringify(outcome).replaceAll(HIDDEN + boundary, `--${boundary}`)
  return JSON.parse(text.replaceAll(`,"filename":"${NAMELESS}"`, '').replaceAll(NAMELESS, '')) // an error lacks it
}

/** What is sent of a form that is cut within some piece, and what multer is asked. */
function cutPieces (pieces, permille, delimiter) {
  let left = Math.floor(pieces.reduce((sum, { sent }) => sum + sent.length, 0) * permille / 1000)
  const at = pieces.findIndex(({ sent }) => {
    left -= sent.length
    return left < 0
  })
  const { isHeader, isText, sent, twin, ...piece } = pieces[at]
  const kept = pieces.slice(0, at)
  const some = sent.slice(0, sent.length + left)
  if (isText) {
    const last = kept.at(-1)
    const isLastLine = last?.sent === `${delimiter}--` && some === '\r'
    if (isLastLine) return [...kept.slice(0, -1), { ...last, sent: last.sent + some, twin: '', why: 'cutLine' }]
    const before = some.replace(/[-\t ]+$/, '') // could be the last boundary
    return [...kept, { ...piece, sent: before, twin: twin.slice(0, before.length) }]
  }
  const isTooLong = some.length > MAX_HEADER
  return [...kept, { ...piece, sent: some, twin: isTooLong ? some : '', why: isHeader ? 'cutHeader' : 'cutLine' }]
}

/** The first part too many is refused by its header, which multer has to see without anything that is wrong. */
function withinParts (pieces, most, delimiter) {
  const at = pieces.findIndex(({ isHeader, part }) => isHeader && part === most)
  if (at === -1 || pieces[at].sent.length > MAX_HEADER + HEADER_END.length) return pieces
  const end = { ...pieces[at], twin: `X: y${HEADER_END}\r\n${delimiter}--\r\n`, why: 'parts' }
  return [...pieces.slice(0, at), end, ...pieces.slice(at + 1).map((piece) => ({ ...piece, twin: '', why: 'parts' }))]
}

/**
 * @param {import('./form').Form} form
 * @returns {object[] | null} the parts, if all of them are there, and plain
 */
function partsOf ({ boundary, cut, parts }) {
  const isPlain = ({ field, head, line, written }) =>
    head === undefined && written === undefined && !ODD_LINES.includes(line) && !field.includes('__proto__')
  if (cut !== null || !parts.every(isPlain)) return null
  return parts.map((part) => {
    const value = utf8(valueOf(part, `--${boundary}`)).replaceAll(NO_UTF8, '\xFF')
    const type = /Type: (.*)/.exec(part.line)?.[1] ?? 'text/plain'
    return { field: part.field, name: part.name, type, bytes: Buffer.from(value, 'latin1') }
  })
}

module.exports = { partsOf, unhide, writeForm }
