'use strict'

// What all parsers have holds for forms with files as well.

const assert = require('node:assert/strict')
const { EventEmitter } = require('node:events')
const { setTimeout: delay } = require('node:timers/promises')
const zlib = require('node:zlib')
const { json, multipart } = require('../../../')
const multer = require('../../../lib/types/multer')
const useFolder = require('../../support/folder')
const { TYPE, form, iterate, shown, upload } = require('../../support/upload')
const uploadHttp2 = require('../../support/upload-http2')
const schemaOf = require('../../support/schema-of')

const big = Buffer.alloc(2 ** 20, 'x')
const body = form(['a', '1'], ['f', 'hello', 'x'])
const NO_FILES = Object.create(null)

/** Each middleware after the other. */
const stack = (...middlewares) => (req, res, done) => {
  let index = 0
  const next = (error) =>
    error !== undefined || index === middlewares.length ? done(error) : middlewares[index++](req, res, next)
  next()
}

describe('multipart with other options', () => {
  // [what, options, body, message, error]
  const rows = [
    ['a coded body that is cut', {}, zlib.gzipSync(body).subarray(0, -20), { headers: { 'Content-Encoding': 'gzip' } },
      { status: 400 }],
    ['a coded body over the limit', {}, zlib.gzipSync(form(['f', big, 'x'])),
      { headers: { 'Content-Encoding': 'gzip' } },
      { status: 413, type: 'entity.too.large', limit: 2 ** 20, field: 'f', part: 1 }],
    ['a limit that is a function', { limit: () => 10 }, body, {}, { status: 413, type: 'entity.too.large', limit: 10 }],
    ['a type that a function takes', { type: () => true }, body,
      { headers: { 'Content-Type': 'multipart/mixed; boundary="b"' } }, null]
  ]
  for (const [what, options, body, message, error] of rows) {
    it(`reads or refuses ${what}`, async () => {
      const seen = await upload(multipart(options), body, message)
      assert.deepEqual([seen.error && shown(seen.error), seen.calls], [error ?? undefined, 1])
      if (error === null) assert.deepEqual([seen.body, String(seen.files.f[0].bytes)], [{ a: '1' }, 'hello'])
    })
  }

  const reading = (parser) => (req, res, next) => parser.read(req, res).then(() => next(), next)
  const buffered = { buffered: true }
  // [what, parser, type, req.body]
  const skipped = [
    ['JSON', multipart(), 'application/json', undefined],
    ['another multipart type', multipart(), 'multipart/mixed; boundary=b', undefined],
    ['a type that begins like that of a form', multipart(), 'multipart/form-datax; boundary=b', undefined],
    ['JSON in front of its parser', stack(multipart(), json()), 'application/json', { a: 1 }],
    ['JSON behind a buffered parser', stack(json(buffered), multipart(buffered)), 'application/json', { a: 1 }],
    ['JSON, by read', reading(multipart()), 'application/json', undefined]
  ]
  for (const [what, parser, type, expected] of skipped) {
    it(`gives ${what} no files, and no body of its own`, async () => {
      const seen = await upload(parser, Buffer.from('{"a":1}'), { headers: { 'Content-Type': type } })
      assert.deepEqual([seen.error, seen.body, seen.files], [undefined, expected, NO_FILES])
    })
  }

  it('leaves files of other code, and a request that takes none', async () => {
    const message = { headers: { 'Content-Type': 'application/json' } }
    const others = await upload((req, res, next) => multipart()(Object.assign(req, { files: 5 }), res, next), body,
      message)
    assert.equal(others.files, 5)
    const none = await upload(
      (req, res, next) => multipart()(Object.defineProperty(req, 'files', { get () {} }), res, next),
      body,
      message
    )
    assert.deepEqual([none.error, none.calls, none.files], [undefined, 1, undefined])
    const loop = async (parts) => { for await (const part of parts) assert.fail(part.field) }
    const parted = await upload(iterate(multipart(), loop), body, message)
    assert.deepEqual([parted.error.status, parted.files], [415, undefined])
  })

  it('does not parse a form again that a schema has checked', async () => {
    const parser = multipart({ schema: schemaOf(({ a }) => ({ value: { a: Number(a) } })) })
    const seen = await upload(stack(parser, parser, reading(parser), json()), body)
    assert.deepEqual([seen.error, seen.body, seen.files.f.length], [undefined, { a: 1 }, 1])
  })

  it('fails for a form that another parser has read, whose files have passed other rules', async () => {
    const unreadable = { status: 500, type: 'stream.not.readable' }
    for (const [first, second] of [
      [multipart(), multipart()],
      [multer().any(), multipart()],
      [multer().any(), reading(multipart())],
      [(req, res, next) => req.resume().on('end', next), multipart()]
    ]) {
      const { calls, error } = await upload(stack(first, second), body)
      assert.deepEqual([shown(error), calls], [unreadable, 1])
    }
  })

  const untilAborted = (file, { signal }) => new Promise((resolve) => signal.addEventListener('abort', resolve))
  const untilError = (file) => new Promise((resolve, reject) => file.on('error', reject))
  const slowly = async (file) => {
    await delay(100)
    file.resume()
  }
  const begun = [form(['f', big, 'x']).subarray(0, 100), Buffer.alloc(0)]
  // [what, options, body, message, error]
  const late = [
    ['a client that stalls while a store waits', { timeout: 50, store: untilError }, begun,
      { headers: { 'Content-Length': '1000' } }, 'request.timeout'],
    ['a store that takes longer than the timeout, although the body has arrived',
      { timeout: 50, store: (file, more) => untilAborted(file.resume(), more) }, body, {}, 'request.timeout'],
    ['a store that takes long in the middle of the body', { minRate: 2 ** 30, store: slowly }, form(['f', big, 'x']),
      {}, undefined]
  ]
  for (const [what, options, pieces, message, type] of late) {
    it(`${type === undefined ? 'waits for' : 'fails with 408 because of'} ${what}`, async () => {
      const seen = await upload(multipart({ limit: '8mb', ...options }), pieces, message)
      assert.deepEqual([seen.error?.type, seen.error?.status, seen.calls], [type, type && 408, 1])
    })
  }

  describe('buffered', () => {
    const folder = useFolder()
    const call = (options, fields) => new Promise((resolve) => {
      const req = { headers: { 'content-type': TYPE }, ...fields }
      multipart({ buffered: true, ...options })(req, {}, (error) =>
        resolve({ error, body: req.body, files: req.files }))
    })

    it('reads a body that other code has read', async () => {
      for (const rawBody of [body, String(body), new Uint8Array(body)]) {
        const seen = await call({ extended: true }, { rawBody, body: {} })
        assert.deepEqual([seen.error, seen.body, String(seen.files.f[0].bytes)], [undefined, { a: '1' }, 'hello'])
      }
    })

    it('refuses invalid forms, and removes their files', async () => {
      const store = multipart.disk(folder.at())
      assert.equal((await call({ store }, { rawBody: body.subarray(0, -4) })).error.type, 'multipart.unterminated')
      const headers = { 'content-type': 'multipart/form-data' }
      assert.equal((await call({ store }, { rawBody: body, headers })).error.type, 'multipart.boundary.missing')
      assert.deepEqual(folder.names(), [])
    })

    for (const [what, options, type] of [
      ['its time is over', { timeout: 10 }, 'request.timeout'],
      ['its client leaves', {}, 'request.aborted']
    ]) {
      it(`does not wait for a store once ${what}`, async () => {
        const socket = new EventEmitter()
        let signal
        const store = (file, more) => {
          ({ signal } = more)
          setImmediate(() => socket.emit('close'))
          return new Promise((resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))))
        }
        const seen = await call({ ...options, store }, { rawBody: body, ...(type === 'request.aborted' && { socket }) })
        assert.deepEqual([seen.error.type, seen.files, signal.reason], [type, undefined, seen.error])
      })
    }
  })

  it('listens for the error of a request that was destroyed, which Deno emits late', async () => {
    const store = async (file) => (await file.toArray()).length
    const cut = form(['f', Buffer.alloc(100_000), 'x']).subarray(0, 50_000)
    const handle = (req) => req.emit('error', new Error('aborted'))
    const { error, thrown } = await upload(multipart({ store }), cut, { cut: true, handle })
    assert.deepEqual([error.type, thrown], ['request.aborted', undefined])
  })

  it('fails with the error that a setter of the app throws', async () => {
    const seen = await upload((req, res, next) => {
      Object.defineProperty(req, 'files', { get () {}, set () { throw new Error('set') } })
      multipart()(req, res, next)
    }, body)
    assert.equal(seen.error.message, 'set')
  })

  it('notices a client that leaves over HTTP/2', async () => {
    const { error } = await uploadHttp2(multipart(), body, {
      send (stream) {
        stream.write(body.subarray(0, 50))
        setTimeout(() => stream.session.destroy(), 20)
      }
    })
    assert.equal(error.type, 'request.aborted')
  })
})
