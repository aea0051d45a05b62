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
const { any, field, file, form, ours, theirs } = require('../../support/multer-rows')
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

const toDisk = (multer, dest) => multer({ dest }).any()
const engine = (handle) => any({ storage: { _handleFile: handle, _removeFile: (req, file, done) => done(null) } })
const sizeOf = (req, { stream }, done) => {
  let size = 0
  stream.on('data', ({ length }) => { size += length }).on('end', () => done(null, { size }))
}
const filtering = (answer) =>
  any({ fileFilter: (req, { originalname }, done) => setImmediate(answer, originalname, done) })

const FILES = [file('x', 'tiny.bin', 'hi'), field('a'), file('y', 'empty.dat', ''), file('z', 'large.jpg', LARGE)]

/** @type {Record<string, [make: Function, form: string, more?: object]>} a situation; all agree with multer */
const SITUATIONS = {
  'fields alone': [any(), form(field('name', 'Multer'), field('a[b][c]'), field('a[b][c]'))],
  'no form, of another type': [
    any(), '{"a":1}',
    { headers: { 'content-type': 'application/json' }, act: (req, body) => { req.resume().end(body) } }
  ],
  'a type without a boundary': [
    any(), form(field('a')), { headers: { 'content-type': 'multipart/form-data' }, act: sendAndDiscard }
  ],
  'files of many sizes on the disk': [toDisk, form(...FILES)],
  'files that a filter leaves out': [
    filtering((name, done) => done(null, name !== 'no')),
    form(file('x', 'no', LARGE), file('x', 'yes'), file('y', 'no'))
  ],
  'a file that is too large, on the disk': [
    (multer, dest) => multer({ dest, limits: { fileSize: 1500 } }).any(), form(file('y', 'large', LARGE))
  ],
  'an engine of the app': [engine(sizeOf), form(...FILES)],
  'an error of an engine that reads nothing': [
    engine((req, { stream }, done) => { stream.resume(); done(new Error('at once')) }), form(file('x', 'a', LARGE))
  ],
  'a form that is cut, on the disk': [toDisk, file('x', 'a', LARGE)],
  'no response': [any(), form(...FILES), { res: undefined }],
  'an empty response': [any(), form(...FILES), { res: {} }],
  'a length that is not declared': [
    any(), form(...FILES), { headers: { 'content-length': undefined, 'transfer-encoding': 'chunked' } }
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

  it('may have blanks around its type, where multer fails', async () => {
    const headers = { 'content-type': ` ${TYPE} ` }
    const { body, error } = await outcomeOf(ours, any(), form(field('a')), { headers })
    assert.deepEqual([error, body.a], [undefined, '1'])
  })

  it('has results that a wrapper can take from it', async () => {
    for (const multer of [ours, theirs]) {
      for (const [name, make] of [['file', (multer) => multer().single('x')], ['files', any()]]) {
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
