'use strict'

// Requests that tests of apps, and wrappers such as @koa/multer, make of a stream: with headers and `complete`, without
// a socket, and without a response. What the situations of @koa/multer's own suite give is compared with multer.

const assert = require('node:assert/strict')
const { once } = require('node:events')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { PassThrough, Readable } = require('node:stream')
const { setTimeout: delay } = require('node:timers/promises')
const { countFiles, describe: describeRequest } = require('../../support/multer-outcome')
const { HEAD, any, field, file, form, ours, part, theirs } = require('../../support/multer-rows')
const HANG_TIME = require('../../support/hang-time')

const TYPE = 'multipart/form-data; boundary=b'
const LARGE = 'x'.repeat(200_000)
const PIECE = 16_384 // bytes

/** @returns {PassThrough} a request of which nothing has come yet */
function createRequest (body, headers) {
  const stream = new PassThrough()
  stream.once('end', () => { stream.complete = true })
  const all = { 'content-type': TYPE, 'content-length': String(body.length), ...headers }
  return Object.assign(stream, { complete: false, headers: all, method: 'POST' })
}

function send (req, body) {
  const pieces = []
  for (let at = 0; at < body.length; at += PIECE) pieces.push(body.subarray(at, at + PIECE))
  Readable.from(pieces).pipe(req)
}

/** multer reads nothing of some requests that it refuses; a server does once it has answered. */
function sendAndDiscard (req, body) {
  send(req, body)
  req.resume()
}

/**
 * @param {Function} multer
 * @param {Function} make makes the middleware
 * @param {string} text with a character for each byte
 * @param {{ headers?: object, res?: unknown, act?: Function }} [more] `act`: instead of sending the text
 * @returns {Promise<object>} what an app sees, and whether the whole request was read
 */
async function outcomeOf (multer, make, text, { headers, res = null, act = send } = {}) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'multer-streams-'))
  const body = Buffer.from(text, 'latin1')
  const req = createRequest(body, headers)
  const ended = once(req, 'close').catch(() => {}) // `error` of one that is destroyed
  const calls = []
  const called = new Promise((resolve) => {
    make(multer, folder)(req, res, (...args) => {
      calls.push(args[0])
      resolve()
    })
  })
  act(req, body)
  await Promise.race([Promise.all([called, ended]), delay(HANG_TIME, undefined, { ref: false })])
  await new Promise(setImmediate)
  const { status, ...seen } = describeRequest(req, calls[0] ?? undefined, folder)
  const outcome = { ...seen, calls: calls.length, isComplete: req.complete, left: countFiles(folder) }
  fs.rmSync(folder, { recursive: true })
  return outcome
}

const single = (name, options) => (multer) => multer(options).single(name)
const array = (max, options) => (multer) => multer(options).array('x', max)
const none = (options) => (multer) => multer(options).none()
const fields = (multer) => multer().fields([{ name: 'x', maxCount: 1 }, { name: 'y', maxCount: 3 }, { name: 'z' }])
const toDisk = (multer, dest) => multer({ dest }).any()
const named = (multer, folder) => multer({
  storage: multer.diskStorage({
    destination: (req, file, done) => done(null, folder),
    filename: (req, { fieldname, originalname }, done) => done(null, fieldname + originalname)
  })
}).any()
const limited = (limits, options) => any({ limits, ...options })
const filtering = (answer) =>
  any({ fileFilter: (req, { originalname }, done) => setImmediate(answer, originalname, done) })
const engine = (handle, remove = (req, file, done) => done(null)) =>
  any({ storage: { _handleFile: handle, _removeFile: remove } })
const sizeOf = (req, { stream }, done) => {
  let size = 0
  stream.on('data', ({ length }) => { size += length }).on('end', () => done(null, { size }))
}
const failingOnDisk = (multer, folder) => {
  const storage = multer.diskStorage({ destination: folder })
  // The same error for each file: they are stored at the same time, and either may be the first.
  storage._removeFile = (req, file, done) => done(new Error('a file stays'))
  return multer({ storage, limits: { fileSize: 1000 } }).any()
}

const FIELDS = [field('name', 'Multer'), field('key'), field('abc', 'xyz')]
const EMPTY = [field('name', ''), field('key', ''), field('name', 'again')]
const NESTED = [
  field('obj[0]', 'a'), field('obj[2]', 'c'), field('obj[x]', 'y'), field('obj[x]', 'z'), field('a[b][c]'),
  field('a[]', '2')
]
const FILES = [file('x', 'tiny.bin', 'hi'), field('a'), file('y', 'empty.dat', ''), file('z', 'large.jpg', LARGE)]

/** @type {Record<string, [make: Function, form: string, more?: object]>} a situation; all agree with multer */
const SITUATIONS = {
  'fields alone': [any(), form(...FIELDS)],
  'fields alone, for a route without files': [none(), form(...FIELDS)],
  'empty fields, and a name that comes twice': [any(), form(...EMPTY)],
  'fields whose names nest': [any(), form(...NESTED)],
  'a form of nothing': [any(), form()],
  'no form, of another type': [
    any(), '{"a":1}',
    { headers: { 'content-type': 'application/json' }, act: (req, body) => { req.resume().end(body) } }
  ],
  'no form, as there is no body': [
    any(), '', { headers: { 'content-length': undefined }, act: (req) => { req.resume().end() } }
  ],
  'files of many sizes in memory': [any(), form(...FILES)],
  'files of many sizes on the disk': [toDisk, form(...FILES)],
  'files with names of the app': [named, form(...FILES)],
  'an empty file': [single('y'), form(file('y', 'empty.dat', ''))],
  'a file that was not chosen': [single('y'), form(part(`${HEAD}"y"; filename=""\r\nContent-Type: application/octet-stream`, ''), field('a'))],
  'a name that is not ASCII': [single('x'), form(file('x', '\xE3\x83\x86\xE3\x82\xB9.dat'))],
  'a name that is not ASCII, decoded as UTF-8': [
    single('x', { defParamCharset: 'utf8' }),
    form(file('x', '\xE3\x83\x86\xE3\x82\xB9.dat'))
  ],
  'files in their order, whatever their sizes': [
    array(4),
    form(file('x', '1', LARGE), file('x', '2', 'b'), file('x', '3', ''), file('x', '4', LARGE))
  ],
  'fewer files than a route takes': [array(4), form(file('x'), field('a'))],
  'one file more than a route takes': [array(1), form(file('x'), file('x'))],
  'a file for a route without files': [none(), form(field('a'), file('x'))],
  'a file of another field': [single('x'), form(file('y'))],
  'two files for a route that takes one': [single('x'), form(file('x'), file('x'))],
  'files of several fields': [fields, form(file('x'), file('y'), file('y'), file('z'))],
  'too many files of one of several fields': [fields, form(file('y'), file('x'), file('x'))],
  'files that a filter leaves out': [
    filtering((name, done) => done(null, name !== 'no')),
    form(file('x', 'no', LARGE), file('x', 'yes'), file('y', 'no'))
  ],
  'an error of a filter': [
    filtering((name, done) => done(new Error('Fake error'))),
    form(field('a'), file('x', 'a', LARGE))
  ],
  'too many files': [limited({ files: 1 }), form(file('x'), file('y'))],
  'too many fields': [limited({ fields: 1 }), form(field('a'), field('b'))],
  'a file that is too large': [limited({ fileSize: 1500 }), form(file('x', 'tiny'), file('y', 'large', LARGE))],
  'a file that is too large, on the disk': [(multer, dest) => multer({ dest, limits: { fileSize: 1500 } }).any(), form(file('y', 'large', LARGE))],
  'a name of a field that is too long': [limited({ fieldNameSize: 4 }), form(field('a'), field('longer'))],
  'a value that is too long': [limited({ fieldSize: 4 }), form(field('a'), field('b', 'longer'))],
  'a part without a name': [any(), form(part('Content-Disposition: form-data'))],
  'a file without a name of its field': [any(), form(part('Content-Disposition: form-data; filename="a"'))],
  'a file whose removal fails': [failingOnDisk, form(file('x', 'tiny'), file('y', 'large', LARGE))],
  'a folder that is missing': [(multer, folder) => multer({ storage: multer.diskStorage({ destination: (req, file, done) => done(null, path.join(folder, 'missing')) }) }).any(), form(file('x'))],
  'an error of a destination': [(multer) => multer({ storage: multer.diskStorage({ destination: (req, file, done) => done(new Error('no folder')) }) }).any(), form(file('x'))],
  'an error of a file name': [(multer, folder) => multer({ storage: multer.diskStorage({ destination: folder, filename: (req, file, done) => done(new Error('no name')) }) }).any(), form(file('x'))],
  'an engine of the app': [engine(sizeOf), form(...FILES)],
  'an error of an engine': [
    engine((req, file, done) => { file.stream.resume().on('end', () => done(new Error('Test error'))) }),
    form(file('x', 'a', LARGE))
  ],
  'an error of an engine that reads nothing': [
    engine((req, { stream }, done) => { stream.resume(); done(new Error('at once')) }),
    form(file('x', 'a', LARGE))
  ],
  'a file too large for an engine': [(multer) => multer({ storage: { _handleFile: sizeOf, _removeFile: (req, file, done) => done(null) }, limits: { fileSize: 10 } }).any(), form(file('x', 'a', LARGE))],
  'a type without a boundary': [
    any(),
    form(field('a')),
    { headers: { 'content-type': 'multipart/form-data' }, act: sendAndDiscard }
  ],
  'a type with another boundary': [
    any(),
    form(field('a')),
    { headers: { 'content-type': 'multipart/form-data; boundary=a' } }
  ],
  'a form that is cut': [any(), field('a') + file('x').slice(0, -4)],
  'a form that is cut, on the disk': [toDisk, file('x', 'a', LARGE)],
  'no response': [any(), form(...FILES), { res: undefined }],
  'an empty response': [any(), form(...FILES), { res: {} }],
  'a length that is not declared': [
    any(),
    form(...FILES),
    { headers: { 'content-length': undefined, 'transfer-encoding': 'chunked' } }
  ]
}

describe('multer: a request that is a stream', () => {
  for (const [title, [make, text, more]] of Object.entries(SITUATIONS)) {
    it(`gives what it gives with multer: ${title}`, async () => {
      const [seen, expected] = await Promise.all([ours, theirs].map((multer) => outcomeOf(multer, make, text, more)))
      assert.equal(seen.calls, 1)
      assert.deepEqual(seen, expected)
    })
  }

  it('with too many parts has the error of multer, which reads one part more', async () => {
    for (const more of [field('b'), file('x')]) {
      const make = limited({ parts: 1 })
      const [seen, expected] = await Promise.all([ours, theirs].map((multer) =>
        outcomeOf(multer, make, form(field('a'), more))))
      for (const outcome of [seen, expected]) ['body', 'files'].forEach((name) => delete outcome[name])
      assert.equal(seen.error.code, 'LIMIT_PART_COUNT')
      assert.deepEqual(seen, expected)
    }
  })

  it('may come beside others of the same middleware', async () => {
    const counts = Array.from({ length: 8 }, (_, index) => index + 1)
    for (const multer of [ours, theirs]) {
      const upload = multer().array('x')
      const seen = await Promise.all(counts.map((count) => {
        const files = Array.from({ length: count },
          (_, index) => file('x', String(index), LARGE.slice(0, 1000 * count)))
        return outcomeOf(multer, () => upload, form(...files))
      }))
      assert.deepEqual(seen.map(({ files }) => files.length), counts)
      for (const { files } of seen) assert.ok(files.every(({ size }) => size === 1000 * files.length))
    }
  })

  it('has results that a wrapper can take from it', async () => {
    for (const multer of [ours, theirs]) {
      for (const [name, make] of [['file', single('x')], ['files', any()]]) {
        const body = Buffer.from(form(field('a'), file('x')))
        const req = createRequest(body)
        const error = await new Promise((resolve) => {
          make(multer)(req, null, resolve)
          send(req, body)
        })
        const [taken] = [req[name]].flat()
        assert.deepEqual([error ?? undefined, taken.size, req.body.a], [undefined, 2, '1'])
        for (const key of ['body', name]) assert.ok(delete req[key])
        assert.deepEqual([req.body, req[name]], [undefined, undefined])
      }
    }
  })

  it('that is destroyed in the middle is an error, and leaves no file', async () => {
    for (const make of [any(), toDisk, engine(sizeOf)]) {
      const act = (req, body) => {
        req.on('error', () => {})
        req.write(body.subarray(0, 150_000))
        setImmediate(() => req.destroy(new Error('broken')))
      }
      const { calls, error, left } = await outcomeOf(ours, make, form(...FILES), { act })
      assert.deepEqual([calls, error.message, left], [1, 'broken', 0])
    }
  })
})
