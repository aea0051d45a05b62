// Reads uploads and records under each runtime, and answers with what it has got of them: the path chooses the parser.
// GET answers with what became of a client that left.

const { createHash, randomUUID } = require('node:crypto')
const { EventEmitter, once } = require('node:events')
const fs = require('node:fs')
const http = require('node:http')
const os = require('node:os')
const path = require('node:path')
const { multipart, ndjson } = require('../../../..')
const multer = require('../../../../lib/types/multer')

const MAX = 5 * 2 ** 20 + 100 // bytes of a file
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'uploads-'))
const sha1 = (bytes) => createHash('sha1').update(bytes).digest('hex')

async function storeFile (stream) {
  const target = path.join(folder, randomUUID())
  const remove = () => fs.rmSync(target, { force: true })
  const handle = await fs.promises.open(target, 'wx')
  try {
    for await (const chunk of stream) await handle.writeFile(chunk)
  } catch (error) {
    remove()
    throw error
  } finally {
    await handle.close()
  }
  return { target, remove }
}

async function store (file, { signal }) {
  const { target, remove } = await storeFile(file)
  signal.addEventListener('abort', remove)
  return target
}

const engine = {
  _handleFile: (req, { stream }, done) => { storeFile(stream).then(({ target }) => done(null, { path: target }), done) },
  _removeFile (req, file, done) {
    fs.rmSync(file.path, { force: true })
    done(null)
  }
}

const files = { f: { size: MAX } }
const storage = multer.diskStorage({ destination: folder, filename: (req, file, done) => done(null, randomUUID()) })
const single = (storage) => multer({ limits: { fileSize: MAX }, storage }).single('f')
const records = ndjson({ limit: '10mb' })
const loop = multipart({ files })

const parsers = {
  '/disk': multipart({ files, store: multipart.disk(folder) }),
  '/store': multipart({ files, store }),
  '/parts': (req, res, next) => { readParts(req, res).then(() => next(), next) },
  '/multer/disk': single(storage),
  '/multer/engine': single(engine),
  '/ndjson': (req, res, next) => { readRecords(req, res).then(() => next(), next) }
}

async function readParts (req, res) {
  req.body = {}
  for await (const part of loop.parts(req, res)) {
    if (part.name === undefined) req.body[part.field] = part.value
    else req.file = { name: part.name, bytes: Buffer.concat(await part.toArray()) }
  }
}

async function readRecords (req, res) {
  const body = { records: 0, sum: 0 }
  for await (const { n } of await records.read(req, res)) {
    body.records++
    body.sum += n
  }
  req.body = body
}

function shown ({ name, originalname = name, path, value = path, bytes = fs.readFileSync(value) }) {
  return [originalname, bytes.length, sha1(bytes)]
}

const left = new EventEmitter()
const outcomes = [] // of clients that left

const server = http.createServer(async (req, res) => {
  res.setHeader('Content-Type', 'application/json')
  if (req.method === 'GET') {
    if (outcomes.length === 0) await once(left, 'client')
    return res.end(JSON.stringify(outcomes.pop()))
  }
  parsers[req.url](req, res, (error) => {
    const file = req.file ?? req.files?.f?.[0]
    const failed = error && { type: error.type ?? error.code, left: fs.readdirSync(folder).length }
    if (error?.type === 'request.aborted') {
      outcomes.push(failed)
      left.emit('client')
    }
    res.statusCode = error?.status ?? 200
    res.end(JSON.stringify(failed ?? { body: req.body, file: file && shown(file) }))
    for (const name of fs.readdirSync(folder)) fs.rmSync(path.join(folder, name))
  })
})

server.listen(0, '127.0.0.1', () => console.log(server.address().port))
