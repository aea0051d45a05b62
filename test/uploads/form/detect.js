'use strict'

// Option `detect`: the type of a file by its bytes.

const assert = require('node:assert/strict')
const { AsyncLocalStorage } = require('node:async_hooks')
const { once } = require('node:events')
const http2 = require('node:http2')
const { Readable } = require('node:stream')
const zlib = require('node:zlib')
const { createBudget, multipart } = require('../../../')
const multer = require('../../../lib/types/multer')
const web = require('../../../lib/web')
const { cut } = require('../../support/arrival')
const useFolder = require('../../support/folder')
const { form, shown, upload } = require('../../support/upload')
const { postPieces } = require('../../support/web-request')

const PNG = Buffer.concat([Buffer.from([0x89, 0x50, 0x4E, 0x47]), Buffer.alloc(10_000, 'p')])
const SIZE = 4100
const body = form(['a', '1'], ['f', PNG, 'x.txt', 'text/plain'], ['f', 'hello', 'y.png', 'image/png'],
  ['f', '', 'z', 'a/b'])
const ARRIVALS = {
  whole: [body],
  'byte by byte': [...cut(body, Array.from({ length: 4300 }, (_, index) => index + 1))],
  'cut within the head': cut(body, [400, 401, 3000]),
  'cut at the end of the head': cut(body, [body.indexOf(PNG) + SIZE]),
  'cut behind the head': cut(body, [body.indexOf(PNG) + SIZE + 1, body.indexOf('hello') + 2]),
  ...Object.fromEntries(Array.from({ length: 8 }, (_, index) =>
    [`cut at random (${index})`, cut(body, [41 * index + 100, 977 * index + 300, 1303 * index + 400])]))
}
const ANY = { files: { '*': { max: 10, types: ['*/*'] } } }

/** Tells a PNG from anything else, later. */
const detectPng = async (head) => head.subarray(0, 4).equals(PNG.subarray(0, 4)) ? 'IMAGE/png' : undefined

const EXPECTED = [
  ['x.txt', 'image/png', 'text/plain', PNG.length], ['y.png', 'application/octet-stream', 'image/png', 5],
  ['z', 'application/octet-stream', 'a/b', 0]
]
const typesOf = (files) => files.map(({ name, type, declaredType, size }) => [name, type, declaredType, size])

describe('detect', () => {
  for (const [way, pieces] of Object.entries(ARRIVALS)) {
    it(`gets the first bytes of each file, and loses none: ${way}`, async () => {
      for (const chunked of [false, true]) {
        const heads = []
        const detect = (head, file) => {
          heads.push([Buffer.from(head), file])
          head.fill(0) // the app may do with it what it likes
          file.name = 'other'
          return detectPng(heads.at(-1)[0])
        }
        const { error, body, files } = await upload(multipart({ ...ANY, detect }), pieces, { chunked })
        assert.equal(error, undefined)
        assert.deepEqual([body, typesOf(files.f)], [{ a: '1' }, EXPECTED])
        assert.ok(files.f[0].bytes.equals(PNG))
        assert.equal(String(files.f[1].bytes), 'hello')
        assert.deepEqual(heads.map(([head]) => head), [PNG.subarray(0, SIZE), Buffer.from('hello'), Buffer.alloc(0)])
        assert.deepEqual(heads[1][1], { field: 'f', name: 'other', folder: '', type: 'image/png' })
      }
    })
  }

  it('is asked in gzip, and over HTTP/2', async () => {
    const headers = { 'Content-Encoding': 'gzip' }
    const { files } = await upload(multipart({ ...ANY, detect: detectPng }), zlib.gzipSync(body), { headers })
    assert.deepEqual(typesOf(files.f), EXPECTED)
    const parser = multipart({ ...ANY, detect: detectPng })
    const handle = (req, res) => parser(req, res, () => res.end(JSON.stringify(typesOf(req.files.f))))
    const server = http2.createServer(handle)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const session = http2.connect(`http://127.0.0.1:${server.address().port}`)
    const client = session.request({ ':method': 'POST', 'content-type': 'multipart/form-data; boundary=b' }).end(body)
    let text = ''
    for await (const chunk of client) text += chunk
    session.close()
    server.close()
    assert.deepEqual(JSON.parse(text), EXPECTED)
  })

  const refusal = Object.assign(new Error('no'), { status: 418 })
  const nothing = null
  // [what, options, error]
  const rows = [
    ['a type that the rule does not take', { files: { f: { max: 3, types: ['image/png'] } } },
      { status: 415, type: 'multipart.file.type.unsupported', field: 'f', part: 3 }],
    ['a file that is not expected, without asking', { files: { g: {} }, detect: () => assert.fail('asked') },
      { status: 400, type: 'multipart.file.unexpected', field: 'f', part: 2 }],
    ['a file that is too large', { files: { f: { max: 3, size: 3 } } },
      { status: 413, type: 'multipart.file.too.large', limit: 3, field: 'f', part: 2 }],
    ['a short file that is too large', { files: { f: { max: 3, size: PNG.length } }, total: PNG.length + 2 },
      { status: 413, type: 'multipart.files.too.large', limit: PNG.length + 2, field: 'f', part: 3 }],
    ['a form that is too large', { ...ANY, limit: 300 }, { status: 413, type: 'entity.too.large', limit: 300 }],
    ['a budget that is used up', { ...ANY, budget: createBudget({ bytes: 5000 }) },
      { status: 503, type: 'budget.exceeded' }],
    ['what it throws', { ...ANY, detect: () => { throw refusal } }, { status: 418 }],
    ['what it is rejected with', { ...ANY, detect: async () => { throw refusal } }, { status: 418 }],
    ['a value that is not an error', { ...ANY, detect: async () => { throw nothing } }, { status: 500 }]
  ]
  for (const [what, options, error] of rows) {
    it(`leaves nothing of a form with ${what}`, async () => {
      for (const pieces of [[body], cut(body, [300, 600])]) {
        const seen = await upload(multipart({ detect: detectPng, ...options }), pieces)
        const { status, type, limit } = error
        const { field, part, ...found } = shown(seen.error)
        assert.deepEqual(found, JSON.parse(JSON.stringify({ status, type, limit })))
        if (error.field) assert.deepEqual([field, part], [error.field, error.part])
        assert.deepEqual([seen.files, seen.calls], [undefined, 1])
      }
    })
  }

  it('must return a media type, or undefined', async () => {
    for (const value of [1, {}, true]) {
      const { error } = await upload(multipart({ ...ANY, detect: () => value }), body)
      assert.match(error.message, /^option detect must return a media type/)
    }
    for (const value of [undefined, null]) {
      const { files } = await upload(multipart({ ...ANY, detect: () => value }), body)
      assert.equal(files.f[0].type, 'application/octet-stream')
    }
  })

  it('is a function', () => {
    for (const detect of [true, 'image/png', {}]) {
      assert.throws(() => multipart({ detect }), new TypeError('option detect must be a function'))
      assert.throws(() => web.multipart({ detect }), new TypeError('option detect must be a function'))
      assert.throws(() => multer({ detect }), new TypeError('Expected detect to be a function'))
    }
  })

  it('is asked before filter and store, in the async context of the caller', async () => {
    const context = new AsyncLocalStorage()
    const calls = []
    const parser = multipart({
      detect: async (head) => {
        calls.push(['detect', context.getStore()])
        return detectPng(head)
      },
      files: { f: { max: 3, filter: ({ type, declaredType, size }) => calls.push([type, declaredType]) } },
      store: async (file) => {
        calls.push(['store', file.type, file.declaredType, (await file.toArray()).length > 0])
      }
    })
    await upload((req, res, next) => context.run('caller', () => parser(req, res, next)), body)
    assert.deepEqual(calls.slice(0, 3),
      [['detect', 'caller'], ['image/png', 'text/plain'], ['store', 'image/png', 'text/plain', true]])
  })

  it('may have a file skipped by its type', async () => {
    const filter = ({ type }) => type !== 'image/png'
    const { files } = await upload(multipart({ detect: detectPng, files: { f: { max: 3, filter } } }), body)
    assert.deepEqual(typesOf(files.f), EXPECTED.slice(1))
  })

  const folder = useFolder()

  it('is asked of files on the disk, of parts, and of files in a loop', async () => {
    const store = multipart.disk(folder.at())
    const { files } = await upload(multipart({ ...ANY, detect: detectPng, store }), body)
    assert.deepEqual(typesOf(files.f), EXPECTED)
    const found = []
    const readAll = async (loop) => {
      for await (const file of loop) {
        if (file.value !== undefined) continue
        found.push([file.name, file.type, file.declaredType, Buffer.concat(await file.toArray()).length])
      }
    }
    const parser = multipart({ ...ANY, detect: detectPng })
    await upload((req, res, next) => next(), body, { handle: (req, res) => readAll(parser.parts(req, res)) })
    const streaming = multipart({ ...ANY, detect: detectPng, store: 'stream' })
    await upload(streaming, body, { handle: (req) => readAll(req.files) })
    assert.deepEqual(found, [...EXPECTED, ...EXPECTED])
  })

  it('is asked of forms of /web', async () => {
    const detect = (head) => detectPng(Buffer.from(head))
    const request = () => postPieces(cut(body, [300, 5000]), { 'content-type': 'multipart/form-data; boundary=b' })
    const { files } = await web.multipart({ ...ANY, detect })(request())
    assert.deepEqual(typesOf(files.f), EXPECTED)
    assert.ok(Buffer.from(files.f[0].bytes).equals(PNG))
    const rule = { f: { max: 3, types: ['image/png'] } }
    await assert.rejects(web.multipart({ detect, files: rule })(request()), { status: 415 })
    const found = []
    for await (const part of web.multipart({ ...ANY, detect }).parts(request())) {
      if (part.stream) found.push([part.name, part.type, part.declaredType])
    }
    assert.deepEqual(found, EXPECTED.map((row) => row.slice(0, 3)))
  })
})

describe('detect of multer', () => {
  const folder = useFolder()
  const mimesOf = (files) => files.map(({ originalname, mimetype, detectedMimeType, clientReportedMimeType, size }) =>
    [originalname, mimetype, detectedMimeType, clientReportedMimeType, size])
  const EXPECTED_OF_MULTER = [
    ['x.txt', 'image/png', 'image/png', 'text/plain', PNG.length],
    ['y.png', 'application/octet-stream', null, 'image/png', 5],
    ['z', 'application/octet-stream', null, 'a/b', 0]
  ]
  const engine = {
    async _handleFile (req, file, done) {
      done(null, { size: Buffer.concat(await Readable.from(file.stream).toArray()).length })
    },
    _removeFile: (req, file, done) => done(null)
  }

  for (const [way, pieces] of Object.entries(ARRIVALS)) {
    it(`gives the names of multer 3: ${way}`, async () => {
      for (const options of [{}, { dest: folder.at() }, { storage: engine }]) {
        const { error, files } = await upload(multer({ ...options, detect: detectPng }).any(), pieces)
        assert.equal(error, undefined)
        assert.deepEqual(mimesOf(files), EXPECTED_OF_MULTER)
      }
    })
  }

  it('is asked before fileFilter, and its error is that of the form', async () => {
    const seen = []
    const fileFilter = (req, file, done) => {
      seen.push(file.mimetype)
      done(null, file.detectedMimeType !== null)
    }
    const { files } = await upload(multer({ detect: detectPng, fileFilter }).any(), body)
    assert.deepEqual([seen, mimesOf(files)], [EXPECTED.map(([, type]) => type), EXPECTED_OF_MULTER.slice(0, 1)])
    const detect = async () => { throw Object.assign(new Error('no'), { status: 415 }) }
    const failed = await upload(multer({ detect }).any(), body)
    assert.deepEqual([failed.error.status, failed.files], [415, []])
    const large = await upload(multer({ detect: detectPng, limits: { fileSize: 4 } }).any(), body)
    assert.equal(large.error.code, 'LIMIT_FILE_SIZE')
  })
})
