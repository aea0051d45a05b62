'use strict'

// multer-gridfs-storage with GridFS of MongoDB's driver over collections in memory, over multer and over its stand-in.

const { randomUUID } = require('node:crypto')
const { PassThrough } = require('node:stream')
const { GridFsStorage } = require('multer-gridfs-storage')
const { field, file, form } = require('../../support/multer-rows')
const { agreedBy } = require('./support/outcomes')

const LARGE = 'x'.repeat(700_000) // three chunks of GridFS

/** What the driver's GridFS calls of a collection. */
class Collection {
  constructor (insert = () => {}) {
    this.documents = []
    this.insert = insert
  }

  async findOne () { return this.documents[0] ?? null }
  listIndexes () { return { toArray: async () => [] } }
  async createIndex () {}

  async insertOne (document) {
    await this.insert(document)
    this.documents.push(document)
  }

  async deleteOne ({ _id: { $eq } }) { return this.remove(({ _id }) => _id === $eq) }
  async deleteMany ({ files_id: { $eq } }) { return this.remove((chunk) => chunk.files_id === $eq) }

  remove (isRemoved) {
    const before = this.documents.length
    this.documents = this.documents.filter((document) => !isRemoved(document))
    return { deletedCount: before - this.documents.length }
  }
}

/** @param {() => unknown} [insert] is called for each chunk before it is inserted */
async function createDatabase (insert) {
  const collections = { 'fs.files': new Collection(), 'fs.chunks': new Collection(insert) }
  const list = async () => {
    const { 'fs.files': { documents: files }, 'fs.chunks': { documents: chunks } } = collections
    const entries = files.map(({ _id, filename, length, metadata }) => [
      filename.replace(/^[\da-f]{32}$/, 'random'),
      [length, metadata,
        chunks.filter(({ files_id: id }) => id === _id).reduce((sum, { data }) => sum + data.length, 0)]
    ])
    const lost = chunks.filter(({ files_id: id }) => !files.some(({ _id }) => _id === id))
    return { files: Object.fromEntries(entries), open: lost.length }
  }
  return { name: randomUUID(), list, db: { collection: (name) => collections[name] } }
}

const failing = () => createDatabase(() => { throw new Error('the database is full') })

describe('multer-gridfs-storage', function () {
  this.timeout(60_000)

  /** Its results without ids and dates. */
  const route = (method, options, more) => (multer, { db }) => {
    const storage = new GridFsStorage({
      db,
      file: (req, file) => ({ filename: file.originalname, metadata: { a: req.body.a ?? 'none' } }),
      ...options
    })
    const middleware = multer({ storage, ...more })[method]('x')
    return (req, res, next) => middleware(req, res, (error) => {
      for (const stored of [req.file ?? [], req.files ?? []].flat()) {
        delete stored.id
        delete stored.uploadDate
      }
      next(error)
    })
  }
  const limit = (fileSize) => ({ limits: { fileSize } })

  const rows = {
    'stores a file': [form(field('a'), file('x'), field('b')), route('single')],
    'stores a file by its defaults': [form(file('x')), route('single', { file: undefined })],
    'stores files by a generator': [
      form(file('x'), file('x')),
      route('array', { file: function * () { for (let i = 0; ; i++) yield `${i}` } })
    ],
    'stores a file in chunks': [form(file('x', 'a', LARGE), field('b')), route('single')],
    'stores a file through a stream of the app': [
      form(file('x', 'a', LARGE)),
      route('single', { file: () => ({ filename: 'n', transforms: [new PassThrough()] }) })
    ],
    'stores a file once it is connected': [
      form(file('x', 'a', LARGE)),
      (multer, { db }) => route('single')(multer, { db: new Promise((resolve) => setTimeout(resolve, 50, db)) })
    ],
    'removes a file over a limit': [form(file('x', 'a', LARGE)), route('single', {}, limit(600_000))],
    'removes a file before one that is refused': [form(file('x', 'a', LARGE), file('y')), route('single')],
    'leaves nothing of a form without an end': [file('x', 'a', LARGE), route('single')],
    'leaves nothing of a client that leaves': [file('x', '1') + file('x', '2', LARGE), route('array'), { cut: true }],
    'fails with the database': [form(file('x', 'a', LARGE)), route('single'), { place: failing }]
  }
  for (const [title, [body, make, { place = createDatabase, ...more } = {}]] of Object.entries(rows)) {
    it(title, () => agreedBy(() => place(), { body, make, ...more }))
  }
})
