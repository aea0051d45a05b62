'use strict'

// Option `detect`: the type of a file by its bytes.

const assert = require('node:assert/strict')
const { AsyncLocalStorage } = require('node:async_hooks')
const { buffer } = require('node:stream/consumers')
const { createBudget, multipart } = require('../../../')
const multer = require('../../../lib/types/multer')
const web = require('../../../lib/web')
const { cut } = require('../../support/arrival')
const useFolder = require('../../support/folder')
const { TYPE, form, shown, upload } = require('../../support/upload')
const uploadHttp2 = require('../../support/upload-http2')
const { postPieces } = require('../../support/web-request')

const PNG = Buffer.concat([Buffer.from([0x89, 0x50, 0x4E, 0x47]), Buffer.alloc(10_000, 'p')])
const SIZE = 4100
const body = form(['a', '1'], ['f', PNG, 'x.txt', 'text/plain'], ['f', 'hello', 'y.png', 'image/png'],
  ['f', '', 'z', 'a/b'])
const ARRIVALS = {
  whole: [body],
  'byte by byte about the begin of a file': cut(body, Array.from({ length: 100 }, (_, index) => 100 + index)),
  'byte by byte about the end of the head': cut(body,
    Array.from({ length: 20 }, (_, index) => body.indexOf(PNG) + SIZE - 10 + index)),
  'cut within and behind the head': cut(body, [400, 401, 3000, body.indexOf(PNG) + SIZE + 1, body.indexOf('hello') + 2])
}
const ANY = { files: { '*': { max: 10, types: ['*/*'] } } }

/** Tells a PNG from anything else, later. */
const detectPng = async (head) =>
  Buffer.from(head).subarray(0, 4).equals(PNG.subarray(0, 4)) ? 'IMAGE/png' : undefined

const EXPECTED = [
  ['x.txt', 'image/png', 'text/plain', PNG.length], ['y.png', 'application/octet-stream', 'image/png', 5],
  ['z', 'application/octet-stream', 'a/b', 0]
]
const typesOf = (files) => files.map(({ name, type, declaredType, size }) => [name, type, declaredType, size])

/** The same of the files of a loop. */
async function typesIn (loop) {
  const files = []
  for await (const file of loop) files.push(Object.assign(file, { size: (await buffer(file)).length }))
  return typesOf(files)
}

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

  const refusal = Object.assign(new Error('no'), { status: 418 })
  const nothing = null
  // [what, options, error]
  const rows = [
    ['a type that the rule does not take', { files: { f: { max: 3, types: ['image/png'] } } },
      { status: 415, type: 'multipart.file.type.unsupported', field: 'f', part: 3 }],
    ['a file that is not expected, without asking', { files: { g: {} }, detect: () => assert.fail('asked') },
      { status: 400, type: 'multipart.file.unexpected', field: 'f', part: 2 }],
    ['a short file that is too large', { files: { f: { max: 3, size: PNG.length } }, total: PNG.length + 2 },
      { status: 413, type: 'multipart.files.too.large', limit: PNG.length + 2, field: 'f', part: 3 }],
    ['a budget that is used up', { ...ANY, budget: createBudget({ bytes: 5000 }) },
      { status: 503, type: 'budget.exceeded' }],
    ['what it is rejected with', { ...ANY, detect: async () => { throw refusal } }, { status: 418 }],
    ['a value that is not an error', { ...ANY, detect: async () => { throw nothing } }, { status: 500 }]
  ]
  for (const [what, options, { status, type, limit, ...place }] of rows) {
    it(`leaves nothing of a form with ${what}`, async () => {
      for (const pieces of [[body], cut(body, [300, 600])]) {
        const seen = await upload(multipart({ detect: detectPng, ...options }), pieces)
        const { field, part, ...found } = shown(seen.error)
        assert.deepEqual(found, shown({ status, type, limit }))
        if (place.field) assert.deepEqual({ field, part }, place)
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
    assert.throws(() => multipart({ detect: true }), new TypeError('option detect must be a function'))
    assert.throws(() => multer({ detect: true }), new TypeError('Expected detect to be a function'))
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
  const options = { ...ANY, detect: detectPng }
  /** Where it is asked -> the files there. */
  const places = {
    'files on the disk over HTTP/2': () =>
      uploadHttp2(multipart({ ...options, store: multipart.disk(folder.at()) }), body),
    'a request for /web': () => web.multipart(options)(postPieces(cut(body, [300, 5000]), { 'content-type': TYPE }))
  }
  for (const [where, read] of Object.entries(places)) {
    it(`is asked of ${where}`, async () => assert.deepEqual(typesOf((await read()).files.f), EXPECTED))
  }

  it('is asked of files in a loop', async () => {
    const { handled } = await upload(multipart({ ...options, store: 'stream' }), body,
      { handle: ({ files }) => typesIn(files) })
    assert.deepEqual(handled, EXPECTED)
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

  it('gives the names of multer 3, wherever a file is stored', async () => {
    for (const options of [{}, { dest: folder.at() }]) {
      const { error, files } = await upload(multer({ ...options, detect: detectPng }).any(), body)
      assert.equal(error, undefined)
      assert.deepEqual(mimesOf(files), EXPECTED_OF_MULTER)
    }
  })

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
  })
})
