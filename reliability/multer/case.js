'use strict'

// A random form, and a random route of multer's for it; ./route.js makes that.

const NAMES = ['a', 'b', 'a[]', 'a[0]', 'a[2]', 'a[b]', 'a[b][c]', 'a[b][]', '__proto__', 'a[__proto__][x]', 'a[', 'é',
  'long-name', '[]', 'a[][b]', '%22', 'a[1000]']
const FILES = ['x', 'y', 'x', 'y', 'x[]', 'z', 'é', '__proto__', '%0D']
const FILENAMES = ['a.txt', 'b.png', '', '../c', 'C:\\d\\e', '..', 'é€.txt', '%22', 'a\\"b', 'n', 'n', 'a b;c']
const VALUES = ['', '1', 'é€', '\r\n', '--', '\r\n--', 'x'.repeat(20), 'x'.repeat(3000), '\r\n--b', '\r\n--bx\r\n',
  '\r\n-', 'a=1&b=2', '--b']
const TYPE = '\r\nContent-Type: '
const HEADERS = ['', '', '', '', `${TYPE}image/png`, `${TYPE}text/plain; charset=utf-8`,
  `${TYPE}text/plain; charset=latin1`, `${TYPE}application/octet-stream`, `${TYPE}nonsense`,
  '\r\nContent-Transfer-Encoding: base64', '\r\nX-Y: z', '\r\n folded', `${TYPE}text/plain; charset=gbk`,
  '\r\nno field', '\r\nX: \x01', `\r\nX: ${'x'.repeat(17000)}`]
const DISPOSITIONS = ['form-data', 'form-data; name=a b', 'attachment; name=a', 'form-data; name=""',
  'form-data; filename=q', "form-data; name=a; filename*=utf-8''%e2%82%ac", "form-data; name=a; filename*=utf-8''%2522",
  'form-data; name="a', 'form-data; name="a";', 'form-data; name=a; filename=q; name=b', 'form-data; name=é',
  'form-data; name=x; filename="test".png"', 'form-data; name=x; filename=a/b', 'form-data; name="x\\"', '',
  'form-data; name=x; filename="’.txt";', 'form-data; name=a; filename="";', 'form-data; name="a%22bc";',
  'form-data; name=a; filename*0="q"', "form-data; name=x; filename*=utf-8''a/b",
  "form-data; name=x; filename*=utf-8''%zz; filename=n"]
// What ./differences.js may put into other words, in ASCII.
const REWORDED = /Disposition: (?!form-data; name="[^"]*"(?:; filename="[^"]*")?\r\n(?! ))/
const LIMITS = {
  fileSize: [0, 2, 30, 5000],
  fieldSize: [0, 1, 30],
  fields: [0, 1, 3],
  files: [0, 1, 2],
  parts: [0, 1, 4],
  fieldNameSize: [1, 4, 8],
  fieldNestingDepth: [0, 1],
  fieldArrayIndexLimit: [0, 1],
  headerPairs: [1]
}
/** How often each option is there, one in so many, and its values. */
const OPTIONS = {
  defParamCharset: [4, ['utf8', 'latin1', 'utf-16le']],
  defCharset: [8, ['utf8', 'latin1']],
  preservePath: [6, [true]],
  highWaterMark: [8, [1, 100, 1e6]],
  fileHwm: [8, [1, 1e6]]
}
const ROUTES = ['any', 'any', 'none', 'single', 'array', 'array2', 'fields', 'fields']
const ENGINES = ['memory', 'memory', 'disk', 'disk', 'dest', 'named', 'wrapped', 'reading', 'late', 'failing', 'early',
  'unremovable']
const FILTERS = ['none', 'none', 'none', 'by name', 'by name, later', 'failing', 'failing later']
const HANDLERS = [...Array(8).fill('none'), 'piping', 'whole']
const ENDS = ['whole', 'whole', 'whole', 'whole', 'whole', 'whole', 'no end', 'cut', 'epilogue', 'blanks', 'preamble',
  'line feed', 'mark', 'text']
/** By end, in front of the first boundary. */
const BEFORE = { preamble: 'before\r\n', 'line feed': '\n', mark: '\uFEFF', text: 'before\n' }
const SIZES = [1 << 20, 1 << 20, 100, 10] // of pieces, at most
const MOST_PIECES = 200

/**
 * @typedef {object} Case
 * @property {Buffer[]} body in pieces
 * @property {string} text all of it, a character for each byte
 * @property {object} options of `multer`
 * @property {string} route one of ROUTES
 * @property {string} engine one of ENGINES
 * @property {string} filter one of FILTERS
 * @property {string} handler one of HANDLERS
 * @property {boolean} hasLimitsOf whether a function gives the limits
 */

/**
 * @param {(limit: number) => number} below a random integer
 * @returns {Case}
 */
function createCase (below) {
  const some = (list) => list[below(list.length)]
  const oneIn = (count) => below(count) === 0
  const parts = Array.from({ length: below(7) }, () => createPart(some, oneIn))
  const options = { limits: createLimits(some, oneIn) }
  for (const [name, [count, values]] of Object.entries(OPTIONS)) if (oneIn(count)) options[name] = some(values)
  const body = createBody(parts, some(ENDS), below)
  const text = body.toString('latin1')
  if (text.includes('gbk')) { // ./differences.js changes what is in that charset, but not what is a file
    delete options.limits.fieldSize
    delete options.defParamCharset
  }
  if (options.defParamCharset === 'utf-16le' && REWORDED.test(text)) delete options.defParamCharset
  return {
    body: cut(body, below, some(SIZES)),
    text,
    options,
    route: some(ROUTES),
    engine: some(ENGINES),
    filter: some(FILTERS),
    handler: some(HANDLERS),
    hasLimitsOf: oneIn(8)
  }
}

function createLimits (some, oneIn) {
  const limits = {}
  while (oneIn(3)) {
    const name = some(Object.keys(LIMITS))
    limits[name] = some(LIMITS[name])
  }
  return limits
}

function createBody (parts, end, below) {
  if (end === 'blanks' && parts.length > 0) parts[below(parts.length)] = `--b \t${parts.pop().slice(3)}`
  const before = BEFORE[end] ?? ''
  const after = end === 'no end' ? '' : `--b--\r\n${end === 'epilogue' ? 'after' : ''}`
  const body = Buffer.from(before + parts.join('') + after)
  return end === 'cut' ? body.subarray(0, below(body.length)) : body
}

function createPart (some, oneIn) {
  const value = Array.from({ length: oneIn(3) ? 3 : 1 }, () => some(VALUES)).join('')
  const partOf = (disposition) => `--b\r\nContent-Disposition: ${disposition}${some(HEADERS)}\r\n\r\n${value}\r\n`
  if (oneIn(12)) return partOf(some(DISPOSITIONS))
  if (oneIn(2)) return partOf(`form-data; name="${some(FILES)}"; filename="${some(FILENAMES)}"`)
  return partOf(`form-data; name="${some(NAMES)}"`)
}

function cut (body, below, most) {
  const pieces = []
  for (let at = 0; at < body.length;) {
    const length = pieces.length === MOST_PIECES - 1 ? body.length : 1 + below(most)
    pieces.push(body.subarray(at, at += length))
  }
  return pieces
}

module.exports = createCase
