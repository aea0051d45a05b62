'use strict'

// Routes of multer: what is drawn of them, and their middleware.

const { mostly, record, sparse } = require('../fuzz/generate/draw')

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

const anyRoute = record({
  options: sparse({
    defParamCharset: ['utf8', 'latin1'],
    defCharset: ['utf8', 'latin1'],
    preservePath: true,
    highWaterMark: [1, 100, 1e6],
    fileHwm: [1, 1e6]
  }, 5),
  limits: sparse(LIMITS, 12),
  route: ['any', 'any', 'any', 'any', 'none', 'single', 'array', 'array2', 'fields', 'fields'],
  engine: ['memory', 'memory', 'disk', 'disk', 'dest', 'named', 'wrapped', 'reading', 'late', 'failing', 'early',
    'unremovable'],
  filter: ['none', 'none', 'none', 'by name', 'by name, later', 'failing', 'failing, later'],
  handler: mostly('none', ['piping', 'whole']),
  hasLimitsOf: mostly(false, true, 8)
})

/** @returns {(multer: Function, folder: string) => Function} `folder` is for its files */
const makeOf = ({ options, route, engine, filter, handler, hasLimitsOf, limits: given }) => (multer, folder) => {
  const fileFilter = filterOf(filter)
  const streamHandler = handlerOf(handler)
  const limits = hasLimitsOf ? () => given : given
  const target = engine === 'dest' ? { dest: folder } : { storage: storageOf(engine, multer, folder) }
  const more = { ...fileFilter && { fileFilter }, ...streamHandler && { streamHandler } }
  const upload = multer({ ...options, limits, ...target, ...more })
  if (route === 'single') return upload.single('x')
  if (route === 'array') return upload.array('x')
  if (route === 'array2') return upload.array('x', 2)
  if (route === 'fields') return upload.fields([{ name: 'x', maxCount: 2 }, { name: 'y' }])
  return upload[route]()
}

function filterOf (filter) {
  if (filter === 'none') return undefined
  return (req, { originalname }, done) => {
    const isNamed = originalname === 'n'
    const isFailing = isNamed && filter.startsWith('failing')
    const args = isFailing ? [new Error('filter')] : [null, !isNamed]
    if (filter.endsWith('later')) setTimeout(done, 1, ...args)
    else done(...args)
  }
}

function handlerOf (handler) {
  if (handler === 'piping') return (req, stream) => req.pipe(stream)
  if (handler === 'none') return undefined
  return (req, stream) => { // as if something else had read it before
    const chunks = []
    req.on('data', (chunk) => chunks.push(chunk))
    req.on('end', () => stream.end(Buffer.concat(chunks)))
  }
}

function storageOf (engine, multer, folder) {
  if (engine === 'memory') return multer.memoryStorage()
  if (engine === 'disk') return multer.diskStorage({ destination: folder })
  if (engine === 'wrapped') return wrap(multer.diskStorage({ destination: folder }))
  if (engine === 'named') {
    return multer.diskStorage({
      destination: (req, file, done) => setImmediate(done, null, folder),
      filename: (req, file, done) => done(null, file.fieldname.replace(/\W/g, '') + file.mimetype.length)
    })
  }
  const removed = engine === 'unremovable' ? [new Error('removal')] : [null]
  return {
    _handleFile: (req, file, done) => handle(engine, file, done),
    _removeFile: (req, file, done) => done(...removed)
  }
}

const wrap = (storage) => ({
  _handleFile: (...args) => storage._handleFile(...args),
  _removeFile: (...args) => storage._removeFile(...args)
})

function handle (engine, file, done) {
  const { stream } = file
  const read = () => {
    let text = ''
    stream.on('error', done).on('data', (chunk) => { text += chunk.toString('latin1') })
    stream.on('end', () => {
      if (engine === 'failing' && file.fieldname === 'y') done(new Error('engine'))
      else done(null, { text })
    })
  }
  if (engine === 'late') setTimeout(read, 2)
  else if (engine !== 'early') read()
  else {
    done(null, { a: 1 })
    stream.resume()
  }
}

module.exports = { anyRoute, makeOf }
