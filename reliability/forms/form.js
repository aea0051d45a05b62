'use strict'

// Draws forms, and writes them as they are sent: a character for each byte.

const { each, int, joined, mostly, oneOf, record, upTo } = require('../fuzz/generate/draw')

const MOST = 200 // pieces
const HEAD = 'Content-Disposition: form-data; '
const BOUNDARIES = ['b', 'b', 'b', "aB0'()+_,-./:=? z", '--z']
const UNITS = ['a', 'é', '論', '😀', '"', '\r\n', ' ', ';', '=', '%', "'", ':', '[', ']', '/', 'name']
const FIELDS = ['a', 'b', 'a', 'b', 'a', 'b', 'a', 'b', 'a[]', 'a[0]', 'a[2]', 'a[b]', 'a[b][c]', 'a[b][]', '__proto__',
  'a[__proto__][x]', 'a[', 'é', 'long-name', '[]', 'a[][b]', 'a[1000]']
const OF_FILES = ['x', 'y', 'x', 'y', 'x', 'y', 'x', 'y', 'x[]', 'z', 'é', '__proto__']
const FILENAMES = ['a.txt', 'b.png', '../c', 'é€.txt', 'n', 'n', 'a b;c']

const WRITTEN = ['', 'C:\\d\\e', '%22', 'a\\"b', '%0D'] // file names as they are in the header

/** A `§` stands for the boundary, U+E000 for a byte that is not UTF-8. */
const CONTENTS = ['1', '', 'é€', '\r', '\n', '\r\n', '-', '--', '\r\n--', '\r\n-', '--§', '\r\n--§', '\r\n--§x\r\n',
  '\r\n--§-', '\r\n--§--x', '\r\n--§ x', ' ', '\0', 'a=1&b=2', 'x'.repeat(20), 'x'.repeat(3000), '\r\n\r\n', '\uE000',
  'Content-Disposition: form-data; name=z']
const NO_UTF8 = Buffer.from('\uE000').toString('latin1')

const PNG = '\r\nContent-Type: image/png'
const LINES = ['', '', '', PNG, PNG, '\r\nX-Y: z']
const OCTETS = [...LINES, '\r\nContent-Type: application/octet-stream']
const ODD_LINES = ['\r\nContent-Type: text/plain; charset=utf-8', '\r\nContent-Type: text/plain; charset=latin1',
  '\r\nContent-Type: nonsense', '\r\nContent-Transfer-Encoding: base64', '\r\nX-Y: z\r\n folded', '\r\nno field',
  '\r\nX: \x01', `\r\nX: ${'x'.repeat(17_000)}`]

/** As no client writes them. */
const HEADS = ['name=""', 'filename=q', "name=a; filename*=utf-8''%e2%82%ac", "name=a; filename*=utf-8''%2522",
  'name=a; filename=q; name=b'].map((head) => HEAD + head)
/** Of which multer makes something else: test/uploads/multer/differences-in-reading.js. */
const OTHER_HEADS = [
  ...['name="a";', 'name=é', 'name="x\\"', 'name=x; filename="’.txt";', 'name=x; filename=a/b', 'name=a b', 'name="a',
    "name=x; filename*=utf-8''%zz; filename=n", 'name=x; filename="test".png"', 'name=a; filename*0="q"'
  ].map((head) => HEAD + head),
  'Content-Disposition: attachment; name=a', '', `--§\r\n${HEAD}name="a"`
]

const named = (list, first, last = '') => oneOf([3, list], [1, joined(first, upTo(5, UNITS), last)])
const content = each(joined(upTo(4, CONTENTS)), mostly(1, 60, 20)).map(([text, times]) => text.repeat(times))

/**
 * `before` and `after` are outside of the boundaries; `cut`: thousandths of the last value that are sent, or all but
 * the end of the form.
 *
 * @param {boolean} isAlike draws no form which multer is known to read otherwise
 */
function formOf (isAlike) {
  const both = (alike, others) => isAlike ? alike : [...alike, ...others]
  const rarely = (other, usual) => isAlike ? [usual] : mostly(usual, other, 20)
  const ending = (lines) =>
    ({ line: oneOf([6, lines], [1, ODD_LINES]), content, isDense: rarely(true, false), blanks: rarely(' \t', '') })
  return record({
    isAlike,
    boundary: BOUNDARIES,
    parts: upTo(7, oneOf(
      [6, record({ field: named(FIELDS, 'n'), ...ending(isAlike ? LINES : OCTETS) })],
      [5, record({ field: named(OF_FILES, 'n'), name: named(FILENAMES, 'f', 'z'), ...ending(OCTETS) })],
      [1, record({ field: OF_FILES, written: both(WRITTEN, ['..']), ...ending(LINES) })],
      [1, record({ head: both(HEADS, OTHER_HEADS), ...ending(LINES) })]
    )),
    before: mostly('', both(['before\r\n'], ['before\r\n--§x\r\n', '\n', '\uFEFF', 'before\n']), 8),
    after: mostly('', both(['after'], [`--§\r\n${HEAD}name="b"\r\n\r\n1\r\n--§--\r\n`]), 10),
    cut: mostly(null, oneOf([1, 'end'], [3, int(0, 999)]), 6)
  })
}

/** Lengths of the pieces in which it arrives, over and over. */
const anySizes = oneOf([2, [[1e6]]], [2, upTo(3, int(1, 100), 1)], [1, upTo(3, int(1, 8), 1)])

/** A text with a character for each byte, or bytes, in pieces of these sizes. */
function cut (body, sizes) {
  const bytes = Buffer.from(body, 'latin1')
  const pieces = []
  for (let at = 0; at < bytes.length;) {
    const size = pieces.length < MOST ? sizes[pieces.length % sizes.length] : bytes.length
    pieces.push(bytes.subarray(at, at += size))
  }
  return pieces
}

const utf8 = (text) => Buffer.from(text).toString('latin1').replaceAll(NO_UTF8, '\xFF')
const escape = (name) => name.replaceAll('\r\n', '%0D%0A').replaceAll('"', '%22')

/** Without a line that ends the part, or that multer takes for one. */
function valueOf ({ content }, { boundary, isAlike }) {
  const delimiter = `--${boundary}`
  const isEnd = (line) => line.startsWith(delimiter) &&
    (isAlike || /^(?:--)?[\t ]*$|^--[\t ]*\0/.test(line.slice(delimiter.length)))
  const lines = content.replaceAll('§', boundary).split('\r\n')
  return utf8(lines.map((line) => isEnd(line) ? line.slice(1) : line).join('\r\n'))
}

function headOf ({ field, head, line, name = null, written = name && escape(name) }, boundary) {
  const filename = written === null ? '' : `; filename="${written}"`
  return utf8((head ?? `${HEAD}name="${field && escape(field)}"${filename}`).replaceAll('§', boundary) + line)
}

/** With so many of its parts. */
function writeForm (form, count = Infinity) {
  const { after, before, boundary } = form
  const parts = form.parts.slice(0, count)
  const cut = parts.length < form.parts.length ? null : form.cut
  const texts = parts.map((part, index) => {
    const value = valueOf(part, form)
    const isCut = typeof cut === 'number' && index === parts.length - 1
    const shown = isCut ? value.slice(0, Math.floor(value.length * cut / 1000)) : value
    const end = isCut || (part.isDense && value === '') ? '' : '\r\n'
    return `--${boundary}${part.blanks}\r\n${headOf(part, boundary)}\r\n\r\n${shown}${end}`
  })
  const [first, last] = [before, after].map((text) => utf8(text.replaceAll('§', boundary)))
  return (parts.length > 0 ? first : '') + texts.join('') + (cut === null ? `--${boundary}--\r\n${last}` : '')
}

/** @returns {object[] | null} the parts, if all of them are there, and plain */
function partsOf (form) {
  const isPlain = ({ field, head, line, written }) =>
    head === undefined && written === undefined && !ODD_LINES.includes(line) && !field.includes('__proto__')
  if (form.cut !== null || !form.parts.every(isPlain)) return null
  return form.parts.map((part) => {
    const type = /Type: (.*)/.exec(part.line)?.[1] ?? 'text/plain'
    return { field: part.field, name: part.name, type, bytes: Buffer.from(valueOf(part, form), 'latin1') }
  })
}

module.exports = { anySizes, cut, formOf, partsOf, writeForm }
