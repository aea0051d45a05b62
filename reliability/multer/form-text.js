'use strict'

// Reads the text of a form by RFC 2046 alone, and writes one that says the same
// in a way that nobody reads otherwise.

const FIRST = /(\r\n|^)?--b(?:([\t ]*)\r\n|(?<=(?:^|\r\n)--b)(--)([\t ]*)(?:\r\n|$))/
const NEXT = /\r\n--b(?:(--)?([\t ]*)\r\n|(--)([\t ]*)$)/g
const HEADER_END = '\r\n\r\n'
const HIDDEN = '-~b'
const NAMELESS = '~nameless~' // the name of a file that has none
const NAMELESS_AS = [NAMELESS, Buffer.from(NAMELESS).toString('utf16le')] // in the charsets of names

/**
 * @typedef {object} Part
 * @property {string} header
 * @property {string | null} value null if the header has no end
 * @property {boolean} isEnded
 *
 * @typedef {object} Form
 * @property {string} before the first boundary
 * @property {Part[]} parts
 * @property {boolean} isEnded by the last boundary
 * @property {string} after the last boundary
 * @property {boolean} hasBlanks behind a boundary
 * @property {boolean} isDense a boundary is directly behind the header of a part, which ends it
 * @property {boolean} isWithin the first boundary does not begin a line
 *
 * @param {string} text
 * @returns {Form}
 */
function readForm (text) {
  const parts = []
  let line = findFirst(text)
  const isWithin = line?.isWithin ?? false
  let hasBlanks = line?.hasBlanks ?? false
  let isDense = false
  const before = text.slice(0, line?.start ?? text.length)
  while (line !== null && !line.isLast) {
    const end = text.indexOf(HEADER_END, line.end - 2) // the line's own end may be the first half
    if (end === -1) {
      parts.push({ header: text.slice(line.end), value: null, isEnded: false })
      line = null
    } else {
      const header = text.slice(line.end, Math.max(line.end, end))
      const begin = end + HEADER_END.length
      const next = findNext(text, begin - 2) // the end of the header may be that of a line
      const value = text.slice(begin, Math.max(begin, next?.start ?? text.length))
      isDense ||= next !== null && next.start < begin
      parts.push({ header, value, isEnded: next !== null })
      hasBlanks ||= next?.hasBlanks ?? false
      line = next
    }
  }
  const after = line === null ? '' : text.slice(line.end)
  return { before, parts, isEnded: line !== null, after, hasBlanks, isDense, isWithin }
}

function findFirst (text) {
  const match = FIRST.exec(text)
  if (match === null) return null
  const [line, begin, blanks = match[4], dashes] = match
  return {
    start: match.index,
    end: match.index + line.length,
    isLast: dashes !== undefined,
    hasBlanks: blanks !== '',
    isWithin: begin === undefined
  }
}

function findNext (text, at) {
  NEXT.lastIndex = at
  const match = NEXT.exec(text)
  if (match === null) return null
  const [, dashes = match[3], blanks = match[4]] = match
  return { start: match.index, end: NEXT.lastIndex, isLast: dashes !== undefined, hasBlanks: blanks !== '' }
}

/**
 * @param {Form} form
 * @param {number} [count] of its parts; if that is fewer than all, the form ends behind them
 */
function writeForm ({ before, parts, isEnded }, count = Infinity) {
  const texts = parts.slice(0, count).map(({ header, value, isEnded }) => {
    return `--b\r\n${header}${value === null ? '' : HEADER_END + value}${isEnded ? '\r\n' : ''}`
  })
  return `${before && `${before}\r\n`}${texts.join('')}${isEnded || count < parts.length ? '--b--\r\n' : ''}`
}

/** Changes the lines that begin with the boundary, and keeps their length. */
const hide = (text) => text.replace(/(^|\r\n)--b/g, `$1${HIDDEN}`)

/** Undoes that in an outcome, and takes away the name of files that have none. */
function unhide (outcome) {
  let text = JSON.stringify(outcome).replaceAll(HIDDEN, '--b')
  for (const name of NAMELESS_AS) {
    text = text.replaceAll(`,"filename":"${name}"`, '').replaceAll(name, '') // an error lacks it
  }
  return JSON.parse(text)
}

module.exports = { hide, NAMELESS, readForm, unhide, writeForm }
