'use strict'

// multer-s3 with a real S3 server, over multer and over its stand-in.

const assert = require('node:assert/strict')
const { randomUUID } = require('node:crypto')
const { CreateBucketCommand, HeadObjectCommand, ListObjectsV2Command } = require('@aws-sdk/client-s3')
const multerS3 = require('multer-s3')
const { field, file, form } = require('../../support/multer-rows')
const { NOTHING, agreedBy, bothBy } = require('./support/outcomes')
const startS3 = require('./support/s3')

const MEGABYTE = 2 ** 20
const SMALL = 'x'.repeat(300_000)
const LARGE = 'x'.repeat(7 * MEGABYTE) // two parts of an upload to S3
const PNG = `\x89PNG\r\n\x1a\n\0\0\0\rIHDR${'x'.repeat(100)}`
const BUSY = { CreateMultipartUploadCommand: 1, CompleteMultipartUploadCommand: -1, AbortMultipartUploadCommand: -1 }

describe('multer-s3', function () {
  this.timeout(60_000)
  let s3

  before(async () => {
    s3 = await startS3()
  })

  after(() => s3?.close())

  /** A bucket, and a client of its own. */
  async function createBucket () {
    const Bucket = randomUUID()
    const client = s3.createClient()
    let open = 0 // uploads in several parts; the server does not know how to abort one: to be asked counts
    const watch = (next, { commandName }) => (args) => next(args).finally(() => { open += BUSY[commandName] ?? 0 })
    client.middlewareStack.add(watch, { step: 'initialize' })
    await client.send(new CreateBucketCommand({ Bucket }))
    const list = async () => {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }))
      const heads = Contents.map(async ({ Key }) => {
        const { ContentLength, ContentType, Metadata } = await client.send(new HeadObjectCommand({ Bucket, Key }))
        return [Key.replace(/^[\da-f]{32}$/, 'random'), [ContentLength, ContentType, Metadata]]
      })
      return { files: Object.fromEntries(await Promise.all(heads)), open }
    }
    return { name: Bucket, client, list }
  }

  const auto = { contentType: multerS3.AUTO_CONTENT_TYPE }
  const storage = ({ name, client }, options) => multerS3({
    s3: client,
    bucket: name,
    key: (req, file, done) => done(null, `files/${file.originalname}`),
    metadata: (req, { fieldname }, done) => setImmediate(done, null, { fieldname, a: String(req.body.a) }),
    ...options
  })
  const single = (options, more) => (multer, bucket) =>
    multer({ storage: storage(bucket, options), ...more }).single('x')
  const array = (options, more) => (multer, bucket) => multer({ storage: storage(bucket, options), ...more }).array('x')
  const limit = (fileSize) => ({ limits: { fileSize } })

  const rows = {
    'stores a file by the functions for its key and metadata': [form(field('a'), file('x'), field('b')), single()],
    'stores a file by its defaults': [form(file('x')), single({ key: undefined, metadata: undefined })],
    'stores files of a list, in order': [
      form(field('a'), file('x', '1'), file('x', '2', SMALL), file('x', '3'), field('b')),
      array()
    ],
    'stores a file in parts': [form(file('x', 'a', LARGE), field('b')), single()],
    'finds out the type of a picture': [form(file('x', 'a.txt', PNG)), single(auto)],
    'finds out the type of a file in several chunks': [form(file('x', 'a.txt', PNG + SMALL), field('b')), single(auto)],
    'finds out the type of a file in parts': [form(file('x', 'a', PNG + LARGE)), single(auto)],
    'removes a file over a limit': [form(field('a'), file('x', 'a', SMALL)), single({}, limit(1000))],
    'removes a file over a limit, after a part of it': [form(file('x', 'a', LARGE)), single({}, limit(6 * MEGABYTE))],
    'aborts the upload of a form without an end': [file('x', 'a', LARGE), single()],
    'aborts the upload of a client that leaves': [file('x', 'a', LARGE), single(), { cut: true }],
    'removes files before one whose client leaves': [file('x', '1') + file('x', '2', SMALL), array(), { cut: true }],
    'fails without a bucket': [form(file('x')), single({ bucket: 'none' })]
  }
  for (const [title, [body, make, more]] of Object.entries(rows)) {
    it(title, () => agreedBy(createBucket, { body, make, ...more }))
  }

  it('ends the upload of a client that leaves while its type is found out, unlike multer', async () => {
    for (const more of [{ cut: true }, {}]) {
      const outcomes = await bothBy(createBucket, { body: file('x', 'a', LARGE), make: single(auto), ...more })
      assert.equal(outcomes[0].error.message, outcomes[1].error.message)
      assert.deepEqual(outcomes.map(({ stored }) => stored), [NOTHING, { files: {}, open: 1 }])
    }
  })

  it('waits for ever for the first chunk of an empty file, with both', async () => {
    const outcomes = await bothBy(createBucket, { body: form(file('x', 'a', '')), make: single(auto), patience: 1000 })
    assert.deepEqual(outcomes.map(({ hangs }) => hangs), [true, true])
  })
})
