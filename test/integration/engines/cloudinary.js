'use strict'

// multer-storage-cloudinary with the client of Cloudinary and a server on
// loopback in the place of its API, over multer and over its stand-in.

const assert = require('node:assert/strict')
const { randomUUID } = require('node:crypto')
const { once } = require('node:events')
const http = require('node:http')
const { CloudinaryStorage } = require('multer-storage-cloudinary')
const multer = require('multer')
const { field, file, form } = require('../../support/multer-rows')
const { NOTHING, agreedBy, bothBy } = require('./support/outcomes')

const LARGE = 'x'.repeat(700_000)

describe('multer-storage-cloudinary', function () {
  this.timeout(60_000)
  const accounts = new Map() // name -> its files, and its calls that have not called back
  let server
  let cloudinary

  before(async () => {
    server = http.createServer(answer).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address()
    // cloudinary reads the variable only while it is loaded.
    process.env.CLOUDINARY_URL = `cloudinary://key:secret@name?upload_prefix=http://127.0.0.1:${port}`
    cloudinary = require('cloudinary').v2
    delete process.env.CLOUDINARY_URL
  })

  after(() => {
    server?.close()
    server?.closeAllConnections()
  })

  /** As the API does: `/v1_1/NAME/image/upload`, or `/destroy`. */
  function answer (req, res) {
    const account = accounts.get(req.url.split('/')[2])
    multer().any()(req, res, (error) => {
      if (error) return
      const { public_id: id = 'random', tags } = req.body
      const [{ size: bytes } = {}] = req.files
      const isRefused = tags === 'refused'
      if (req.url.endsWith('/destroy')) delete account.files[id]
      else if (!isRefused) account.files[id] = bytes
      res.statusCode = isRefused ? 400 : 200
      res.end(JSON.stringify(isRefused
        ? { error: { message: 'no' } }
        : { public_id: id, bytes, secure_url: `https://${id}` }))
    })
  }

  async function createAccount () {
    const name = randomUUID()
    const account = { files: {}, open: 0 }
    accounts.set(name, account)
    return { name, list: async () => structuredClone(account) }
  }

  /** An engine with an account of its own. */
  function storage (params, { name }) {
    const account = accounts.get(name)
    const call = (method) => (subject, ...rest) => {
      const [done, options] = [rest.pop(), rest.pop() ?? subject]
      account.open++
      const report = (...results) => {
        account.open--
        done(...results)
      }
      const named = { ...options, cloud_name: name }
      return subject === options ? method(named, report) : method(subject, named, report)
    }
    const { upload_stream: uploadStream, destroy } = cloudinary.uploader
    const uploader = { upload_stream: call(uploadStream), destroy: call(destroy) }
    return new CloudinaryStorage({ cloudinary: { uploader }, params })
  }

  const named = { public_id: (req, { originalname }) => originalname }
  const route = (method, params = named, more) => (multer, account) =>
    multer({ storage: storage(params, account), ...more })[method]('x')
  const limit = (fileSize) => ({ limits: { fileSize } })

  const rows = {
    'stores a file': [form(field('a'), file('x'), field('b')), route('single')],
    'stores a file by its defaults': [form(file('x')), route('single', {})],
    'stores a file by a function that is asynchronous': [
      form(file('x')),
      route('single', async (req, { fieldname }) => ({ public_id: fieldname }))
    ],
    'stores a large file': [form(file('x', 'a', LARGE), field('b')), route('single')],
    'stores an empty file': [form(file('x', 'a', '')), route('single')],
    'stores files of a list, in order': [form(file('x', '1', LARGE), file('x', '2'), field('b')), route('array')],
    'removes a file over a limit': [form(file('x', 'a', LARGE)), route('single', named, limit(600_000))],
    'removes a file before one that is refused': [form(file('x', 'a', LARGE), file('y')), route('single')],
    'fails with the service': [form(file('x')), route('single', { tags: 'refused' })],
    'fails without a name': [form(file('x')), route('single', { public_id: () => { throw new Error('no name') } })]
  }
  for (const [title, [body, make]] of Object.entries(rows)) {
    it(title, async () => {
      await agreedBy(createAccount, { body, make })
    })
  }

  it('ends the upload of a form without an end, or whose client leaves, where it stays open with multer', async () => {
    for (const more of [{ cut: true }, {}]) {
      const outcomes = await bothBy(createAccount, { body: file('x', 'a', LARGE), make: route('single'), ...more })
      assert.equal(outcomes[0].error.message, outcomes[1].error.message)
      assert.deepEqual(outcomes.map(({ stored }) => stored), [NOTHING, { files: {}, open: 1 }])
    }
  })
})
