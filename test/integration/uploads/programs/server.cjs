// Runs under each runtime: reads uploads and records, and answers what it has
// got of them. The path chooses the parser. Prints the port, then a line for
// each request: its path, the type of its error, and how many files are left.

const { createHash, randomUUID } = require('node:crypto')
const fs = require('node:fs')
const http = require('node:http')
const os = require('node:os')
const path = require('node:path')
const { multipart, ndjson } = require('../../../..')
const multer = require('../../../../lib/types/multer')

const MAX = 5 * 2 ** 20 + 100 // bytes of a file
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'uploads-'))
const sha1 = (bytes) => createHash('sha1').update(bytes).digest('hex')
const place = () => path.join(folder, randomUUID())

async function storeFile (stream, signal) {
  const target = place()
  const hash = createHash('sha1')
  const remove = () => fs.rmSync(target, { force: true })
  const handle = await fs.promises.open(target, 'wx')
  try {
    for await (const chunk of stream) {
      hash.update(chunk)
      await handle.writeFile(chunk)
    }
  } catch (error) {
    remove()
    throw error
  } finally {
    await handle.close()
  }
  signal?.addEventListener('abort', remove)
  return { target, sha1: hash.digest('hex') }
}

const engine = {
  _handleFile (req, file, done) {
    storeFile(file.stream).then((value) => done(null, { value }), done)
  },
  _removeFile (req, { value }, done) {
    if (value !== undefined) fs.rmSync(value.target, { force: true })
    done(null)
  }
}

const files = { f: { max: 1, size: MAX } }
const storage = multer.diskStorage({ destination: folder, filename: (req, file, done) => done(null, randomUUID()) })
const single = (options) => multer({ limits: { fileSize: MAX }, ...options }).single('f')
const records = ndjson({ limit: '10mb' })
const loop = multipart({ files })

const parsers = {
  '/memory': multipart({ files }),
  '/disk': multipart({ files, store: multipart.disk(folder) }),
  '/store': multipart({ files, store: (file, { signal }) => storeFile(file, signal) }),
  '/parts' (req, res, next) {
    readParts(req, res).then(() => next(), next)
  },
  '/multer/memory': single({ storage: multer.memoryStorage() }),
  '/multer/disk': single({ storage }),
  '/multer/engine': single({ storage: engine }),
  '/ndjson' (req, res, next) {
    records(req, res, (error) => error ? next(error) : countRecords(req).then(() => next(), next))
  }
}

async function readParts (req, res) {
  req.body = {}
  for await (const part of loop.parts(req, res)) {
    if (part.name === undefined) {
      req.body[part.field] = part.value
      continue
    }
    const bytes = Buffer.concat(await part.toArray())
    req.files = { f: [{ field: part.field, name: part.name, size: bytes.length, bytes }] }
  }
}

async function countRecords (req) {
  const body = { records: 0, sum: 0 }
  for await (const { n } of req.body) {
    body.records++
    body.sum += n
  }
  req.body = body
}

function shown (file) {
  const { name = file.originalname, size, path, bytes = file.buffer, value } = file
  const hash = value?.sha1 ?? sha1(bytes ?? fs.readFileSync(path))
  return { name, size: size ?? fs.statSync(value.target).size, sha1: hash }
}

const server = http.createServer((req, res) => {
  parsers[req.url](req, res, (error) => {
    const file = req.file ?? req.files?.f?.[0]
    const type = error && (error.type ?? error.code ?? error.message)
    console.log(JSON.stringify({ path: req.url, type, left: error ? fs.readdirSync(folder).length : undefined }))
    const answer = error ? { type } : { body: req.body, file: file && shown(file) }
    res.statusCode = error ? error.status ?? 500 : 200
    res.setHeader('Content-Type', 'application/json')
    res.end(JSON.stringify(answer))
    for (const name of fs.readdirSync(folder)) fs.rmSync(path.join(folder, name))
  })
})

server.listen(0, '127.0.0.1', () => console.log(server.address().port))
process.stdin.resume().on('end', () => {
  fs.rmSync(folder, { recursive: true })
  process.exit()
})
