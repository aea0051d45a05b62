'use strict'

// Routes of multer: what is drawn of them, and their middleware.

const { mostly, record, sparse } = require('../fuzz/generate/draw')

const LIMITS = {
  fileSize: [0, 2, 30, 5000],
  fieldSize: [0, 1, 30],
  fields: [0, 1, 3],
  files: [0, 1, 2],
  fieldNameSize: [1, 4, 8],
  fieldNestingDepth: [0, 1],
  fieldArrayIndexLimit: [0, 1],
  headerPairs: [1]
}

const ROUTES = {
  any: (upload) => upload.any(),
  none: (upload) => upload.none(),
  single: (upload) => upload.single('x'),
  array: (upload) => upload.array('x'),
  'array, two': (upload) => upload.array('x', 2),
  fields: (upload) => upload.fields([{ name: 'x', maxCount: 2 }, { name: 'y' }])
}

const FILTERS = {
  none: undefined,
  'by name': (req, { originalname }, done) => done(null, originalname !== 'n'),
  failing: (req, { originalname }, done) => done(...originalname === 'n' ? [new Error('filter')] : [null, true])
}
const later = (filter) => (req, file, done) => setTimeout(filter, 1, req, file, done)

/** An engine that does this with each file. */
const engine = (handle, ...removed) => ({
  _handleFile: (req, { stream }, done) => handle(stream, done),
  _removeFile: (req, file, done) => done(...removed)
})

function read (stream, done) {
  let text = ''
  stream.on('error', done).on('data', (chunk) => { text += chunk.toString('latin1') })
  stream.on('end', () => done(null, { text }))
}

/** By name: what of the options says where files go. */
const ENGINES = {
  memory: ({ memoryStorage }) => ({ storage: memoryStorage() }),
  disk: ({ diskStorage }, folder) => ({ storage: diskStorage({ destination: folder }) }),
  dest: (multer, folder) => ({ dest: folder }),
  named ({ diskStorage }, folder) {
    let count = 0
    return {
      storage: diskStorage({
        destination: (req, file, done) => setImmediate(done, null, folder),
        filename: (req, file, done) => done(null, `${file.mimetype.length}-${count++}`)
      })
    }
  },
  reading: () => ({ storage: engine(read, null) }),
  late: () => ({ storage: engine((...args) => setTimeout(read, 2, ...args), null) }),
  early: () => ({
    storage: engine((stream, done) => {
      done(null, { a: 1 })
      stream.resume()
    }, null)
  }),
  unremovable: () => ({ storage: engine(read, new Error('removal')) })
}

const anyRoute = record({
  options: sparse({
    defParamCharset: ['utf8', 'latin1'],
    defCharset: ['utf8', 'latin1'],
    preservePath: true,
    highWaterMark: [1, 100, 1e6],
    fileHwm: [1, 1e6]
  }, 5),
  limits: sparse(LIMITS, 12),
  route: ['any', 'any', 'any', ...Object.keys(ROUTES)],
  engine: Object.keys(ENGINES),
  filter: mostly('none', ['by name', 'by name, later', 'failing', 'failing, later'], 1),
  hasLimitsOf: mostly(false, true, 8)
})

/** @returns {(multer: Function, folder: string) => Function} `folder` is for its files */
const makeOf = ({ options, route, engine, filter, hasLimitsOf, limits }) => (multer, folder) => {
  const name = filter.replace(', later', '')
  const fileFilter = name === filter ? FILTERS[name] : later(FILTERS[name])
  return ROUTES[route](multer({
    ...options,
    limits: hasLimitsOf ? () => limits : limits,
    ...ENGINES[engine](multer, folder),
    ...fileFilter && { fileFilter }
  }))
}

module.exports = { anyRoute, makeOf }
