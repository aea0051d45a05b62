'use strict'

// A random form, and a random route of multer's for it.

const NAMES = ['a', 'b', 'a[]', 'a[0]', 'a[2]', 'a[b]', 'a[b][c]', 'a[b][]', '__proto__', 'a[__proto__][x]', 'a[', 'é', 'long-name', '[]', 'a[][b]']
const FILES = ['x', 'y', 'x', 'y', 'x[]', 'z', 'é', '__proto__']
const FILENAMES = ['a.txt', 'b.png', '', '../c', 'C:\\d\\e', '..', 'é€.txt', '%22', 'a\\"b', 'n', 'n', 'a b;c']
const VALUES = ['', '1', 'é€', '\r\n', '--', '\r\n--', 'x'.repeat(20), 'x'.repeat(3000), '\r\n--b', '\r\n--bx\r\n', '\r\n-', 'a=1&b=2']
const HEADERS = ['', '', '', '', '\r\nContent-Type: image/png', '\r\nContent-Type: text/plain; charset=utf-8', '\r\nContent-Type: text/plain; charset=latin1', '\r\nContent-Type: application/octet-stream', '\r\nContent-Type: nonsense', '\r\nContent-Transfer-Encoding: base64',
  '\r\nX-Y: z', '\r\n folded', '\r\nContent-Type: text/plain; charset=gbk', '\r\nno field', '\r\nX: \x01']
const DISPOSITIONS = ['form-data', 'form-data; name=a b', 'attachment; name=a', 'form-data; name=""', 'form-data; filename=q', "form-data; name=a; filename*=utf-8''%e2%82%ac", 'form-data; name="a', 'form-data; name="a";', 'form-data; name=a; filename=q; name=b']
const LIMITS = { fileSize: [0, 2, 30, 5000], fieldSize: [0, 1, 30], fields: [0, 1, 3], files: [0, 1, 2], parts: [0, 1, 4], fieldNameSize: [1, 4, 8], fieldNestingDepth: [0, 1], fieldArrayIndexLimit: [0, 1], headerPairs: [1] }
const ROUTES = ['any', 'any', 'none', 'single', 'array', 'array2', 'fields', 'fields']
const ENGINES = ['memory', 'memory', 'disk', 'disk', 'named', 'reading', 'late', 'failing', 'early']
const FILTERS = ['none', 'none', 'none', 'by name', 'by name, later', 'failing', 'failing later']
const ENDS = ['whole', 'whole', 'whole', 'whole', 'whole', 'whole', 'no end', 'cut', 'epilogue']

/** @param {(limit: number) => number} below a random integer */
function createCase (below) {
  const some = (list) => list[below(list.length)]
  const oneIn = (count) => below(count) === 0
  const parts = Array.from({ length: below(7) }, () => createPart(some, oneIn))
  const limits = {}
  while (oneIn(3)) {
    const name = some(Object.keys(LIMITS))
    limits[name] = some(LIMITS[name])
  }
  const end = some(ENDS)
  let body = Buffer.from(parts.join('') + (end === 'no end' ? '' : '--b--\r\n') + (end === 'epilogue' ? 'after' : ''))
  if (end === 'cut') body = body.subarray(0, below(body.length))
  const pieces = []
  const most = some([1 << 20, 1 << 20, 100, 10])
  for (let at = 0; at < body.length && pieces.length < 200;) {
    const length = pieces.length === 199 ? body.length : 1 + below(most)
    pieces.push(body.subarray(at, at += length))
  }
  const options = { limits }
  if (oneIn(4)) options.defParamCharset = some(['utf8', 'latin1', 'utf-16le'])
  if (oneIn(6)) options.preservePath = true
  return { body: pieces, text: body.toString('latin1'), options, route: some(ROUTES), engine: some(ENGINES), filter: some(FILTERS) }
}

function createPart (some, oneIn) {
  const value = Array.from({ length: oneIn(3) ? 3 : 1 }, () => some(VALUES)).join('')
  if (oneIn(12)) return `--b\r\nContent-Disposition: ${some(DISPOSITIONS)}${some(HEADERS)}\r\n\r\n${value}\r\n`
  const isFile = oneIn(2)
  const filename = isFile ? `; filename="${some(FILENAMES)}"` : ''
  return `--b\r\nContent-Disposition: form-data; name="${some(isFile ? FILES : NAMES)}"${filename}${some(HEADERS)}\r\n\r\n${value}\r\n`
}

/** The middleware of a case. */
const makeOf = ({ options, route, engine, filter }) => (multer, folder) => {
  const fileFilter = filterOf(filter)
  const upload = multer({ ...options, storage: storageOf(engine, multer, folder), ...(fileFilter && { fileFilter }) })
  if (route === 'single') return upload.single('x')
  if (route === 'array') return upload.array('x')
  if (route === 'array2') return upload.array('x', 2)
  if (route === 'fields') return upload.fields([{ name: 'x', maxCount: 2 }, { name: 'y' }])
  return upload[route]()
}

function filterOf (filter) {
  if (filter === 'none') return undefined
  const isLate = filter.endsWith('later')
  return (req, { originalname }, done) => {
    const args = filter.startsWith('by name') ? [null, originalname !== 'n'] : originalname === 'n' ? [new Error('filter')] : [null, true]
    if (isLate) setTimeout(done, 1, ...args)
    else done(...args)
  }
}

function storageOf (engine, multer, folder) {
  if (engine === 'memory') return multer.memoryStorage()
  if (engine === 'disk') return multer.diskStorage({ destination: folder })
  if (engine === 'named') return multer.diskStorage({ destination: (req, file, done) => setImmediate(done, null, folder), filename: (req, file, done) => done(null, file.fieldname.replace(/\W/g, '') + file.mimetype.length) })
  return { _handleFile: (req, file, done) => handle(engine, file, done), _removeFile: (req, file, done) => done(null) }
}

function handle (engine, file, done) {
  const { stream } = file
  const read = () => {
    let text = ''
    stream.on('error', done).on('data', (chunk) => { text += chunk.toString('latin1') })
    stream.on('end', () => engine === 'failing' && file.fieldname === 'y' ? done(new Error('engine')) : done(null, { text }))
  }
  if (engine === 'late') setTimeout(read, 2)
  else if (engine === 'early') done(null, { a: 1 }) || stream.resume()
  else read()
}

module.exports = { createCase, makeOf }
