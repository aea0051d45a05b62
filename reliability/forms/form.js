'use strict'

// Draws forms, whole, cut and odd. What multer is meant to read otherwise is there twice: as it is sent, and as its
// `twin`, which says the same in a way in which multer reads it. So multer itself tells what is to be made of it.

const { each, int, joined, mostly, oneOf, record, upTo } = require('../fuzz/generate/draw')

const BOUNDARIES = ['b', 'b', 'b', "aB0'()+_,-./:=? z", '--z']
const UNITS = ['a', 'é', '論', '😀', '"', '\r\n', ' ', ';', '=', '%', "'", ':', '[', ']', '/', 'name']
const FIELDS = ['a', 'b', 'a', 'b', 'a', 'b', 'a', 'b', 'a[]', 'a[0]', 'a[2]', 'a[b]', 'a[b][c]', 'a[b][]', '__proto__',
  'a[__proto__][x]', 'a[', 'é', 'long-name', '[]', 'a[][b]', 'a[1000]']
const OF_FILES = ['x', 'y', 'x', 'y', 'x', 'y', 'x', 'y', 'x[]', 'z', 'é', '__proto__']
const FILENAMES = ['a.txt', 'b.png', '../c', 'é€.txt', 'n', 'n', 'a b;c']
const ODD_FILENAMES = ['', '..', 'C:\\d\\e', '%22', 'a\\"b', '%0D'] // as they are written

/** A `§` stands for the boundary, U+E000 for a byte that is not UTF-8. */
const CONTENTS = ['1', '', 'é€', '\r', '\n', '\r\n', '-', '--', '\r\n--', '\r\n-', '--§', '\r\n--§', '\r\n--§x\r\n',
  '\r\n--§-', '\r\n--§--x', '\r\n--§ x', ' ', '\0', 'a=1&b=2', 'x'.repeat(20), 'x'.repeat(3000), '\r\n\r\n', '\uE000',
  'Content-Disposition: form-data; name=z']

const OCTETS = '\r\nContent-Type: application/octet-stream'
const PNG = '\r\nContent-Type: image/png'
const LINES = ['', '', '', PNG, PNG, OCTETS, '\r\nX-Y: z']
const ODD_LINES = ['\r\nContent-Type: text/plain; charset=utf-8', '\r\nContent-Type: text/plain; charset=latin1',
  '\r\nContent-Type: nonsense', '\r\nContent-Transfer-Encoding: base64', '\r\nX-Y: z\r\n folded', '\r\nno field',
  '\r\nX: \x01', `\r\nX: ${'x'.repeat(17_000)}`]

/** Without a difference from multer. */
const ODD_DISPOSITIONS = ['form-data', 'form-data; name=""', 'form-data; filename=q',
  "form-data; name=a; filename*=utf-8''%e2%82%ac", "form-data; name=a; filename*=utf-8''%2522",
  'form-data; name=a; filename=q; name=b']
/** With the words that multer reads; none if it is refused. */
const DROPPED = [
  ['form-data; name="a";', 'form-data; name="a"'],
  ['form-data; name=é', 'form-data; name="é"'],
  ['form-data; name="a%22bc";', 'form-data; name="a%22bc"'],
  ['form-data; name="x\\"', 'form-data; name="x\\\\"'],
  ['form-data; name=a; filename="";', 'form-data; name=a; filename=""'],
  ['form-data; name=x; filename="’.txt";', 'form-data; name=x; filename="’.txt"'],
  ['form-data; name=x; filename=a/b', 'form-data; name=x; filename="a/b"'],
  ["form-data; name=x; filename*=utf-8''a/b", 'form-data; name=x; filename="a/b"'],
  ["form-data; name=x; filename*=utf-8''%zz; filename=n", 'form-data; name=x; filename=n'],
  ['form-data; name=a b'], ['attachment; name=a'], ['form-data; name="a'],
  ['form-data; name=x; filename="test".png"'], ['']
]

const HEAD = 'Content-Disposition: '
const MALFORMED = 'malformed'

/** First lines of a part, as no client writes them: what is sent, what multer is asked, and the difference. */
const ODD_HEADS = [
  ...ODD_DISPOSITIONS.map((sent) => ({ sent: HEAD + sent, twin: HEAD + sent })),
  ...DROPPED.map(([sent, twin]) => ({ sent: HEAD + sent, twin: twin ? HEAD + twin : MALFORMED, why: 'dropped' })),
  { sent: `${HEAD}form-data; name=a; filename*0="q"`, twin: MALFORMED, why: 'inPieces' },
  { sent: `--§\r\n${HEAD}form-data; name="a"`, twin: MALFORMED, why: 'inHeader' }
]

const BEFORE = [
  { sent: 'before\r\n', twin: 'before\r\n' },
  { sent: 'before\r\n--§x\r\n', twin: 'before\r\n-~§x\r\n', why: 'begins' },
  ...['\n', '\uFEFF', 'before\n'].map((sent) => ({ sent, twin: `${sent}\r\n`, why: 'within' }))
]
const AFTER = [
  { sent: 'after', twin: 'after' },
  {
    sent: `${['a', 'b'].map((name) => `--§\r\n${HEAD}form-data; name="${name}"\r\n\r\n1\r\n`).join('')}--§--\r\n`,
    twin: '',
    why: 'behind'
  }
]
const NOTHING = { sent: '', twin: '' }

const named = (list, first, last = '') => oneOf([3, list], [1, joined(first, upTo(5, UNITS), last)])
const content = each(joined(upTo(4, CONTENTS)), mostly(1, 60, 20)).map(([text, times]) => text.repeat(times))
const line = oneOf([6, LINES], [1, ODD_LINES])
const ending = { line, content, isDense: mostly(false, true, 20), blanks: mostly('', ' \t', 20) }

const part = oneOf(
  [6, record({ field: named(FIELDS, 'n'), ...ending })],
  [5, record({ field: named(OF_FILES, 'n'), name: named(FILENAMES, 'f', 'z'), ...ending })],
  [1, record({ field: OF_FILES, written: ODD_FILENAMES, ...ending })],
  [1, record({ head: ODD_HEADS, ...ending })]
)

/**
 * @typedef {object} Form
 * @property {string} boundary
 * @property {object[]} parts
 * @property {object} before the first boundary
 * @property {object} after the last boundary
 * @property {number | 'end' | null} cut thousandths of it that are sent, or all but its end
 */
const anyForm = record({
  boundary: BOUNDARIES,
  parts: upTo(7, part),
  before: mostly(NOTHING, BEFORE, 8),
  after: mostly(NOTHING, AFTER, 10),
  cut: mostly(null, oneOf([1, 'end'], [3, int(0, 999)]), 6)
})

module.exports = { AFTER, anyForm, BEFORE, HEAD, MALFORMED, OCTETS, ODD_HEADS, ODD_LINES }
