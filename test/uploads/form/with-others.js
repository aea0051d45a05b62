'use strict'

// What all parsers have holds for forms with files as well.

const assert = require('node:assert/strict')
const { tracingChannel } = require('node:diagnostics_channel')
const { EventEmitter, once } = require('node:events')
const http = require('node:http')
const net = require('node:net')
const { setImmediate: turn, setTimeout: delay } = require('node:timers/promises')
const zlib = require('node:zlib')
const { createBudget, json, multipart, refuseUnparsed } = require('../../../')
const { listen, stop } = require('../../../tools/local-server')
const multer = require('../../../lib/types/multer')
const Clock = require('../../support/clock')
const useFolder = require('../../support/folder')
const transferAll = require('../../support/transfer')
const { TYPE, form, formMessage, iterate, nextOf, openRequest, shown, upload } = require('../../support/upload')
const uploadHttp2 = require('../../support/upload-http2')
const schemaOf = require('../../support/schema-of')
const { tracing } = require('../../support/where')

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
    ['inflate: false', { inflate: false }, zlib.gzipSync(body), { headers: { 'Content-Encoding': 'gzip' } },
      { status: 415, type: 'encoding.unsupported' }],
    ['a coded body that is corrupt', {}, Buffer.from('junk'), { headers: { 'Content-Encoding': 'gzip' } },
      { status: 400 }],
    ['a coded body that is cut', {}, zlib.gzipSync(body).subarray(0, -20), { headers: { 'Content-Encoding': 'gzip' } },
      { status: 400 }],
    ['a coded body over the limit', {}, zlib.gzipSync(form(['f', big, 'x'])),
      { headers: { 'Content-Encoding': 'gzip' } },
      { status: 413, type: 'entity.too.large', limit: 2 ** 20, field: 'f', part: 1 }],
    ['bytes after a coded body', {}, Buffer.concat([zlib.deflateSync(body), Buffer.alloc(100_000)]),
      { headers: { 'Content-Encoding': 'deflate' } }, null],
    ['a client that leaves a coded body', {}, zlib.gzipSync(body).subarray(0, -20),
      { headers: { 'Content-Encoding': 'gzip' }, cut: true }, { status: 400, type: 'request.aborted' }],
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
    ['JSON behind its parser', stack(json(), multipart()), 'application/json', { a: 1 }],
    ['JSON behind a buffered parser', stack(json(buffered), multipart(buffered)), 'application/json', { a: 1 }],
    ['JSON, by read', reading(multipart()), 'application/json', undefined]
  ]
  for (const [what, parser, type, expected] of skipped) {
    it(`gives ${what} no files, and no body of its own`, async () => {
      const seen = await upload(parser, Buffer.from('{"a":1}'), { headers: { 'Content-Type': type } })
      assert.deepEqual([seen.error, seen.body, seen.files], [undefined, expected, NO_FILES])
    })
  }

  it('gives a request that a platform has read no files', async () => {
    for (const [req, body] of [
      [{ headers: { 'content-type': 'application/json' }, body: '{}' }, '{}'],
      [{ headers: {} }, undefined]
    ]) {
      await multipart({ buffered: true }).read(req, {})
      assert.deepEqual([req.body, req.files], [body, NO_FILES])
    }
  })

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

  for (const options of [{}, { schema: { '~standard': { validate: ({ a }) => ({ value: { a } }) } } }]) {
    it(`does not parse a form again${options.schema ? ' that a schema has checked' : ''}`, async () => {
      const parser = multipart(options)
      const seen = await upload(stack(parser, parser, reading(parser), json()), body)
      assert.deepEqual([seen.error, seen.body, seen.files.f.length], [undefined, { a: '1' }, 1])
    })
  }

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

  it('is one of the parsers of refuseUnparsed', async () => {
    let accept
    const seen = await upload(stack(multipart(), refuseUnparsed()), body, {
      headers: { 'Content-Type': 'text/html' },
      handle: (req, res) => { accept = res.getHeader('Accept') }
    })
    assert.deepEqual([shown(seen.error), accept],
      [{ status: 415, type: 'media.type.unsupported' }, 'multipart/form-data'])
    assert.equal((await upload(stack(multipart(), refuseUnparsed()), body)).error, undefined)
  })

  tracing.it('is traced', async () => {
    const messages = []
    const subscribers = {
      asyncStart: ({ parser, lane, bytesIn, bytesDecoded, error }) =>
        messages.push([parser, lane, bytesIn, bytesDecoded, error?.type])
    }
    const channel = tracingChannel('fast-body-parser')
    channel.subscribe(subscribers)
    const coded = zlib.gzipSync(body)
    try {
      await upload(multipart(), body)
      await upload(multipart(), coded, { headers: { 'Content-Encoding': 'gzip' } })
      await upload(multipart(), body.subarray(0, -4))
    } finally {
      channel.unsubscribe(subscribers)
    }
    assert.deepEqual(messages, [
      ['multipart', 'identity', body.length, body.length, undefined],
      ['multipart', 'stream', coded.length, body.length, undefined],
      ['multipart', 'identity', body.length - 4, body.length - 4, 'multipart.unterminated']
    ])
  })

  it('has its fields checked by a schema', async () => {
    const schema = schemaOf(({ a }) => a === '1' ? { value: { a: 1 } } : { issues: [{ message: 'no' }] })
    const seen = await upload(multipart({ schema }), body)
    assert.deepEqual([seen.error, seen.body, seen.files.f.length], [undefined, { a: 1 }, 1])
    const refused = await upload(multipart({ schema }), form(['a', '2']))
    assert.equal(refused.error.type, 'entity.invalid')
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
    ['a client that stalls', { timeout: 50 }, begun, { headers: { 'Content-Length': '1000' } }, 'request.timeout'],
    ['a client that stalls while a store waits', { timeout: 50, store: untilError }, begun,
      { headers: { 'Content-Length': '1000' } }, 'request.timeout'],
    ['a store that takes longer than the timeout, although the body has arrived',
      { timeout: 50, store: (file, more) => untilAborted(file.resume(), more) }, body, {}, 'request.timeout'],
    ['a store that takes longer than the timeout in the middle of the body', { timeout: 50, store: untilAborted },
      form(['f', big, 'x']), {}, 'request.timeout'],
    ['a store that takes long at the end of the body', { minRate: 2 ** 30, store: slowly }, body, {}, undefined],
    ['a store that takes long in the middle of the body', { minRate: 2 ** 30, store: slowly }, form(['f', big, 'x']),
      {}, undefined]
  ]
  for (const [what, options, pieces, message, type] of late) {
    it(`${type === undefined ? 'waits for' : 'fails with 408 because of'} ${what}`, async () => {
      const seen = await upload(multipart({ limit: '8mb', ...options }), pieces, message)
      assert.deepEqual([seen.error?.type, seen.error?.status, seen.calls], [type, type && 408, 1])
    })
  }

  it('throws the 408 if a loop over the parts takes longer than the timeout', async () => {
    const clock = new Clock()
    const parser = multipart({ limit: '4mb', timeout: 50 })
    const composing = { parts: (req, res) => clock.load(() => parser.parts(req, res)) } // which composes a parser
    const seen = await upload(iterate(composing, async (parts) => {
      for await (const part of parts) {
        if (part.name === undefined) continue
        await turn()
        clock.pass(50)
      }
    }), form(['f', big, 'x'], ['a', '1']))
    assert.deepEqual(shown(seen.error), { status: 408, type: 'request.timeout' })
  })

  for (const leave of ['end', 'resetAndDestroy']) {
    it(`fails within the server's requestTimeout if the client leaves by ${leave} while its request is paused`, async () => {
      const budget = createBudget({ bytes: '8mb' })
      const server = http.createServer({ connectionsCheckingInterval: 10 })
      const socket = net.connect(await listen(server), '127.0.0.1').on('error', () => {})
      const { head, pieces: [content] } = formMessage(form(['f', big, 'x']), {})
      socket.write(head)
      socket.write(content.subarray(0, -10))
      const [req, res] = await once(server, 'request')
      const store = (file, { signal }) => {
        server.headersTimeout = server.requestTimeout = 200
        socket[leave]()
        return once(signal, 'abort')
      }
      const error = await new Promise((resolve) => multipart({ budget, limit: '4mb', store })(req, res, resolve))
      socket.destroy()
      stop(server)
      assert.deepEqual([error.type, budget.used], ['request.aborted', 0])
    })
  }

  const encode = (req) => req.setEncoding('utf8')
  // [what, what the app does before, after the call, error]
  for (const [what, before, after, type] of [
    ['refuses a request whose encoding is set', encode, () => {}, 'stream.encoding.set'],
    ['reads a request whose encoding is set afterwards', () => {}, encode, undefined],
    ['reads a request that is paused', (req) => req.pause(), () => {}, undefined]
  ]) {
    it(what, async () => {
      const seen = await upload((req, res, next) => {
        before(req)
        multipart()(req, res, next)
        after(req)
      }, body)
      assert.deepEqual([seen.error?.type, seen.body], [type, type ? undefined : { a: '1' }])
    })
  }

  it('tells a store that does not read on that the client of a coded body has left', async () => {
    let stopped
    const store = (file, { req, signal }) => new Promise((resolve, reject) => {
      stopped = signal
      signal.addEventListener('abort', () => reject(signal.reason))
      setTimeout(() => req.socket.destroy(), 20)
    })
    const { error } = await upload(multipart({ limit: '4mb', store }), zlib.gzipSync(form(['f', big, 'x'])),
      { headers: { 'Content-Encoding': 'gzip' } })
    assert.deepEqual([error.type, stopped.reason], ['request.aborted', error])
  })

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

    it('gives its files to a store', async () => {
      const seen = await call({ store: async (file) => (await file.toArray()).join('') }, { rawBody: body })
      assert.deepEqual([seen.error, seen.files.f[0].value], [undefined, 'hello'])
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

  it('fails with the error that a setter of the app throws', async () => {
    const seen = await upload((req, res, next) => {
      Object.defineProperty(req, 'files', { get () {}, set () { throw new Error('set') } })
      multipart()(req, res, next)
    }, body)
    assert.equal(seen.error.message, 'set')
  })

  it('reads streams other than requests of Node.js', async () => {
    const read = openRequest()
    const short = openRequest({ 'content-length': String(body.length + 1) })
    for (const piece of [body.subarray(0, 20), body.subarray(20), null]) {
      for (const req of [read, short]) req.push(piece)
    }
    assert.deepEqual([await nextOf(multipart(), read), read.body], [undefined, { a: '1' }])
    assert.equal((await nextOf(multipart(), short)).type, 'request.size.invalid')
    const req = openRequest()
    const failed = nextOf(multipart(), req)
    req.destroy(Object.assign(new Error('broken'), { status: 418 }))
    assert.equal((await failed).status, 418)
  })

  it('listens for the error of a request that was destroyed, which Deno emits late', async () => {
    const store = async (file) => (await file.toArray()).length
    const cut = form(['f', Buffer.alloc(100_000), 'x']).subarray(0, 50_000)
    const handle = (req) => req.emit('error', new Error('aborted'))
    const { error, thrown } = await upload(multipart({ store }), cut, { cut: true, handle })
    assert.deepEqual([error.type, thrown], ['request.aborted', undefined])
  })

  describe('over HTTP/2', () => {
    it('reads forms', async () => {
      const seen = await uploadHttp2(multipart({ store: async (file) => (await file.toArray()).join('') }), body)
      assert.deepEqual([seen.error, seen.body, seen.files.f[0].value], [undefined, { a: '1' }, 'hello'])
    })

    it('reads a file whose chunks the app sends to a worker with their memory', async () => {
      const size = 500_000 // bytes
      const store = async (file) => (await transferAll(file)).length
      const large = form(['a', '1'], ['f', Buffer.alloc(size), 'x'], ['b', '2'])
      const { error, body, files } = await uploadHttp2(multipart({ store }), large)
      assert.equal(error, undefined)
      assert.deepEqual([{ ...body }, files.f[0].value], [{ a: '1', b: '2' }, size])
    })

    it('notices a client that leaves', async () => {
      const { error } = await uploadHttp2(multipart(), body, {
        send (stream) {
          stream.write(body.subarray(0, 50))
          setTimeout(() => stream.session.destroy(), 20)
        }
      })
      assert.equal(error.type, 'request.aborted')
    })
  })
})
