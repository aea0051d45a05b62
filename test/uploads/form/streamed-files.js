'use strict'

// Option `store: 'stream'`: the fields first, and then the files in a loop of the handler.

const assert = require('node:assert/strict')
const { AsyncLocalStorage } = require('node:async_hooks')
const http = require('node:http')
const http2 = require('node:http2')
const { once } = require('node:events')
const { Readable } = require('node:stream')
const { setImmediate: turn, setTimeout: delay } = require('node:timers/promises')
const zlib = require('node:zlib')
const express = require('express')
const createError = require('http-errors')
const onFinished = require('on-finished')
const { json, multipart } = require('../../../')
const { listen, stop } = require('../../../tools/local-server')
const { arrivals } = require('../../support/arrival')
const { form, shown, upload } = require('../../support/upload')
const { nextUncaught } = require('../../support/uncaught')

const MEGABYTE = 2 ** 20
const TYPE = 'multipart/form-data; boundary=b'
const big = Buffer.alloc(MEGABYTE, 'abcdefg')
const stream = { store: 'stream', limit: '8mb' }
const schemaOf = (validate) => ({ '~standard': { version: 1, vendor: 'test', validate } })
const numberOfA = schemaOf(async ({ a }) => a === '1' ? { value: { a: 1 } } : { issues: [{ message: 'not 1' }] })

async function bytesOf (file) {
  const chunks = []
  for await (const chunk of file) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** What a loop gets: fields of each file, and the error that ends it. */
async function readAll ({ files }) {
  const seen = []
  try {
    for await (const file of files) {
      const { field, name, folder, type } = file
      seen.push([field, name, folder, type, String(await bytesOf(file))])
    }
  } catch (error) {
    return { seen, error }
  }
  return { seen }
}

const openRequest = () => Object.assign(new Readable({ read () {} }), {
  headers: { 'content-type': TYPE, 'transfer-encoding': 'chunked' }
})

/** @returns {Promise<unknown>} the error of `next`, if it has one */
const nextOf = (parser, req, res = {}) => new Promise((resolve) => parser(req, res, resolve))

const file = (field, text, name = 'x', type = 'text/plain') => [field, text, name, type]
const seenFile = (field, text, name = 'x', type = 'text/plain') => [field, name, '', type, text]

// [what, options, parts, req.body, files]
const rows = [
  ['fields and files', {}, [['a', '1'], ['b', '2'], file('f', 'one'), file('g', 'two', 'y', 'image/png')],
    { a: '1', b: '2' }, [seenFile('f', 'one'), seenFile('g', 'two', 'y', 'image/png')]],
  ['a form without files', {}, [['a', '1'], ['a', '2']], { a: ['1', '2'] }, []],
  ['a form without parts', {}, [], {}, []],
  ['files without fields', {}, [file('f', '')], {}, [seenFile('f', '')]],
  ['nested fields', { extended: true }, [['a[b]', '1'], ['a[c]', '2'], file('f', 'one')], { a: { b: '1', c: '2' } },
    [seenFile('f', 'one')]],
  ['fields behind a form control without a file', {},
    [file('f', '', ''), ['a', '1'], file('g', 'one')], { a: '1' }, [seenFile('g', 'one')]],
  ['fields behind a file that is skipped',
    { files: { '*': { max: 3, filter: ({ name }) => name !== 'no' } } },
    [file('f', 'one', 'no'), ['a', '1'], file('f', 'two'), file('f', 'three', 'no'), file('f', 'four')], { a: '1' },
    [seenFile('f', 'two'), seenFile('f', 'four')]],
  ['what a schema makes of the fields', { schema: numberOfA }, [['a', '1'], file('f', 'one')], { a: 1 },
    [seenFile('f', 'one')]],
  ['what a schema makes of a form without files', { schema: numberOfA }, [['a', '1']], { a: 1 }, []],
  ['as many files as a rule requires', { files: { f: { min: 2, max: 2, size: 3 } } },
    [file('f', 'one'), file('f', 'two')], {}, [seenFile('f', 'one'), seenFile('f', 'two')]]
]

const rule = { files: { f: { max: 2, size: 3, types: ['text/*'] } } }

// [what, options, parts, error]
const refusals = [
  ['too many fields', { fields: { max: 1 } }, [['a', '1'], ['b', '2'], file('f', 'one')],
    { status: 413, type: 'multipart.fields.too.many', limit: 1, field: 'b', part: 2 }],
  ['a first file that no rule takes', rule, [['a', '1'], file('g', 'one')],
    { status: 400, type: 'multipart.file.unexpected', field: 'g', part: 2 }],
  ['a first file of another type', rule, [file('f', 'one', 'x', 'image/png')],
    { status: 415, type: 'multipart.file.type.unsupported', field: 'f', part: 1 }],
  ['a filter that throws', { files: { f: { filter () { throw createError(503, 'no') } } } }, [file('f', 'one')],
    { status: 503 }],
  ['too few files of a form without any', { files: { f: { min: 1 } } }, [['a', '1']],
    { status: 400, type: 'multipart.files.too.few', limit: 1, field: 'f' }],
  ['fields that nest too deep', { extended: true, depth: 1 }, [['a[b][c]', '1'], file('f', 'one')],
    { status: 400, type: 'querystring.parse.rangeError' }],
  ['what a schema refuses', { schema: numberOfA }, [['a', '2'], file('f', 'one')],
    { status: 422, type: 'entity.invalid' }],
  ['what a schema refuses of a form without files', { schema: numberOfA }, [['a', '2']],
    { status: 422, type: 'entity.invalid' }],
  ['a schema that throws', { schema: schemaOf(() => { throw createError(503, 'no') }) }, [file('f', 'one')],
    { status: 503 }]
]

const late = { status: 400, type: 'multipart.field.late' }

// [what, options, parts, files before, error]
const faults = [
  ['a field behind a file', {}, [['a', '1'], file('f', 'one'), ['b', '2'], file('f', 'two')], [seenFile('f', 'one')],
    { ...late, field: 'b', part: 3 }],
  ['a file over its size', rule, [file('f', 'one'), file('f', 'four')], [seenFile('f', 'one')],
    { status: 413, type: 'multipart.file.too.large', limit: 3, field: 'f', part: 2 }],
  ['files over the total', { total: 5 }, [file('f', 'one'), file('f', 'two')], [seenFile('f', 'one')],
    { status: 413, type: 'multipart.files.too.large', limit: 5, field: 'f', part: 2 }],
  ['too many files', rule, [file('f', 'one'), file('f', 'two'), file('f', '')],
    [seenFile('f', 'one'), seenFile('f', 'two')],
    { status: 413, type: 'multipart.files.too.many', limit: 2, field: 'f', part: 3 }],
  ['a later file of another type', rule, [file('f', 'one'), file('f', 'two', 'x', 'image/png')],
    [seenFile('f', 'one')], { status: 415, type: 'multipart.file.type.unsupported', field: 'f', part: 2 }],
  ['too few files', { files: { f: { min: 2, max: 2 } } }, [file('f', 'one')], [seenFile('f', 'one')],
    { status: 400, type: 'multipart.files.too.few', limit: 2, field: 'f' }]
]

/** Other ways of sending the same. */
function messages (body) {
  const ways = Object.entries(arrivals(body)).filter(([way]) => way !== 'bytes' || body.length < 300)
  return [
    ...ways.map(([way, pieces]) => [`chunked, ${way}`, pieces, { chunked: true }]),
    ['declared', body, {}],
    ['gzip', zlib.gzipSync(body), { headers: { 'Content-Encoding': 'gzip' } }]
  ]
}

describe("store: 'stream'", () => {
  for (const [what, options, parts, body, files] of rows) {
    it(`gives ${what}`, async () => {
      const parser = multipart({ ...stream, ...options })
      for (const [way, pieces, message] of messages(form(...parts))) {
        const { calls, error, handled, ...seen } = await upload(parser, pieces, { ...message, handle: readAll })
        assert.deepEqual([error, calls, seen.body, handled], [undefined, 1, body, { seen: files }], way)
      }
    })
  }

  for (const [what, options, parts, expected] of refusals) {
    it(`calls next with the error of ${what}`, async () => {
      const parser = multipart({ ...stream, ...options })
      for (const [way, pieces, message] of messages(form(...parts))) {
        const { body, calls, error } = await upload(parser, pieces, message)
        assert.deepEqual([shown(error), calls], [expected, 1], way)
        if (parts.length > 1) assert.equal(body, undefined)
      }
    })
  }

  for (const [what, options, parts, files, expected] of faults) {
    it(`throws the error of ${what} in the loop`, async () => {
      const parser = multipart({ ...stream, ...options })
      for (const [way, pieces, message] of messages(form(...parts))) {
        const { calls, error, handled } = await upload(parser, pieces, { ...message, handle: readAll })
        assert.deepEqual([error, calls], [undefined, 1], way)
        assert.deepEqual(handled.seen, files, way)
        assert.deepEqual(shown(handled.error), expected, way)
      }
    })
  }

  it('names a field behind a file, quoted and bounded, and says what comes last', async () => {
    const { handled } = await upload(multipart(stream), form(file('f', 'one'), [`\u202E${'x'.repeat(150)}`, '1']),
      { handle: readAll })
    assert.equal(handled.error.message,
      `multipart: field late (field "\\u202e${'x'.repeat(99)}"...): with store: 'stream', fields come first and files last`)
  })

  it('calls next when the header of the first file has come, before its bytes', async () => {
    const req = openRequest()
    const body = form(['a', '1'], file('f', 'one'))
    const place = body.indexOf('one')
    const called = nextOf(multipart(stream), req)
    req.push(body.subarray(0, place))
    assert.deepEqual([await called, req.body], [undefined, { a: '1' }])
    const all = readAll(req)
    await turn()
    req.push(body.subarray(place))
    req.push(null)
    assert.deepEqual(await all, { seen: [seenFile('f', 'one')] })
  })

  it('refuses by the schema before a byte of a file has come', async () => {
    const req = openRequest()
    const body = form(['a', '2'], file('f', 'one'))
    const called = nextOf(multipart({ ...stream, schema: numberOfA }), req)
    req.push(body.subarray(0, body.indexOf('one')))
    assert.equal((await called).status, 422)
  })

  it('lets the first bytes of a file be seen before it is read', async () => {
    const { handled } = await upload(multipart(stream), form(file('f', 'one two')), {
      async handle ({ files }) {
        const seen = []
        for await (const file of files) seen.push(String(Buffer.from(await file.peek(3))), String(await bytesOf(file)))
        return seen
      }
    })
    assert.deepEqual(handled, ['one', 'one two'])
  })

  it('discards a file that was not read when the next is asked for', async () => {
    const seen = []
    const { handled } = await upload(multipart(stream), form(['a', '1'], file('f', big), file('g', big)), {
      async handle ({ files }) {
        const unread = []
        for await (const file of files) unread.push(file)
        for (const file of unread) await bytesOf(file).catch(({ type }) => seen.push([file.field, type]))
        return 'done'
      }
    })
    assert.deepEqual([handled, seen],
      ['done', [['f', 'multipart.file.discarded'], ['g', 'multipart.file.discarded']]])
  })

  it('gives the files to one loop, and tells a second one so', async () => {
    for (const body of [form(file('f', 'one')), form(['a', '1'])]) {
      const { handled } = await upload(multipart(stream), body, {
        async handle (req) {
          await readAll(req)
          return (await readAll(req)).error
        }
      })
      assert.deepEqual([handled.name, handled.message], ['TypeError', 'the files are read by another loop'])
    }
  })

  it('has an empty loop for a request without a form', async () => {
    for (const [headers, body] of [[{ 'Content-Type': 'text/plain' }, 'text'], [{ 'Content-Type': '' }, '']]) {
      const { handled, error } = await upload(multipart(stream), Buffer.from(body), {
        headers,
        handle: readAll
      })
      assert.deepEqual([error, handled], [undefined, { seen: [] }])
    }
  })

  it('throws request.aborted if the client leaves within a file', async () => {
    const { calls, handled } = await upload(multipart(stream), form(file('f', 'one')).subarray(0, -12), {
      cut: true,
      handle: readAll
    })
    assert.deepEqual([calls, handled.seen, handled.error.type, handled.error.status], [1, [], 'request.aborted', 400])
  })

  it('throws request.aborted in a loop that begins after the client has left', async () => {
    const { handled } = await upload(multipart(stream), form(file('f', 'one')).subarray(0, -12), {
      cut: true,
      async handle (req) {
        await delay(50)
        return readAll(req)
      }
    })
    assert.deepEqual([handled.seen, handled.error.type], [[], 'request.aborted'])
  })

  it('throws the error of a form that is cut', async () => {
    const { handled } = await upload(multipart(stream), form(file('f', 'one'), file('f', 'two')).subarray(0, -12),
      { handle: readAll })
    assert.deepEqual([handled.seen, handled.error.type], [[seenFile('f', 'one')], 'multipart.unterminated'])
  })

  it('throws the error of a form over its limit in the loop', async () => {
    const { error, handled } = await upload(multipart({ ...stream, limit: '1.5mb' }),
      [form(file('f', big)).subarray(0, -5), Buffer.concat([Buffer.from('\r\n'), form(file('g', big))])],
      { chunked: true, handle: readAll })
    assert.deepEqual([error, handled.seen.map(([field]) => field), handled.error.type],
      [undefined, ['f'], 'entity.too.large'])
  })

  it('throws request.timeout in the loop', async () => {
    const { handled } = await upload(multipart({ ...stream, timeout: 50 }), form(file('f', big)).subarray(0, 1000), {
      headers: { 'Content-Length': 1001 },
      handle: readAll
    })
    assert.deepEqual([handled.seen, handled.error.type], [[], 'request.timeout'])
  })

  it('leaves no listener on the request', async () => {
    let left
    const { handled } = await upload(multipart(stream), form(['a', '1'], file('f', 'one')), {
      async handle (req) {
        const seen = await readAll(req)
        left = req.listenerCount('pause')
        return seen
      }
    })
    assert.deepEqual([handled.seen.length, left], [1, 0])
  })

  it('holds the request back while the handler does not read', async () => {
    let given = 0
    const pieces = (function * () {
      yield form(['a', '1'], file('f', '')).subarray(0, -9)
      for (; given < 50; given++) yield Buffer.alloc(MEGABYTE / 16)
    })()
    const { headers } = openRequest()
    const req = Object.assign(Readable.from(pieces, { objectMode: false }), { headers })
    assert.equal(await nextOf(multipart(stream), req), undefined)
    for (let i = 0; i < 100; i++) await turn()
    assert.ok(given < 12, `${given} pieces of 64 KB were read`)
    req.destroy()
  })
})

describe("the loop of store: 'stream'", () => {
  const parser = multipart(stream)
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  let server
  let handle

  before(async () => {
    server = http.createServer((req, res) => parser(req, res, (error) => handle(req, res, error)))
    await listen(server)
  })
  after(() => {
    agent.destroy()
    return stop(server)
  })

  /** Sends a form on the one connection, and what the server answers. */
  async function post (body) {
    const req = http.request({ port: server.address().port, agent, method: 'POST', headers: { 'Content-Type': TYPE } })
    req.end(body)
    const [res] = await once(req, 'response')
    res.resume()
    await once(res, 'end')
    return { status: res.statusCode, isReused: req.reusedSocket }
  }

  const body = form(['a', '1'], file('f', big), file('g', big))
  const read = async ({ files }) => { for await (const file of files) await bytesOf(file) }
  // [what, what the handler does]
  for (const [what, act] of [
    ['is never begun', () => {}],
    ['ends before the first file', ({ files }) => { files[Symbol.asyncIterator]().return() }],
    ['ends at the first file', async ({ files }) => { for await (const file of files) if (file.field === 'f') break }],
    ['is made to throw', async ({ files }) => {
      const loop = files[Symbol.asyncIterator]()
      await loop.next()
      await loop.throw(new Error('of the handler'))
    }],
    ['ends within a file', async ({ files }) => {
      for await (const file of files) { // eslint-disable-line no-unreachable-loop
        for await (const chunk of file) if (chunk.length > 0) break
        break
      }
    }],
    ['ends at the last file', async ({ files }) => { for await (const file of files) if (file.field === 'g') break }],
    ['throws', async ({ files }) => {
      for await (const file of files) throw new Error(file.name) // eslint-disable-line no-unreachable-loop
    }]
  ]) {
    it(`discards the rest if it ${what}, and the connection is used again`, async () => {
      handle = async (req, res) => {
        try {
          await act(req)
        } catch {
          res.statusCode = 500
        }
        res.end()
      }
      const first = await post(body)
      assert.equal(first.status, what.includes('throw') ? 500 : 200)
      handle = (req, res) => read(req).then(() => res.end(), (error) => res.writeHead(500).end(error.stack))
      assert.deepEqual(await post(body), { status: 200, isReused: true })
    })
  }

  it('closes the connection if more is left than drainLimit', async () => {
    const closing = multipart({ ...stream, drainLimit: 1000 })
    const server = http.createServer((req, res) => closing(req, res, () => res.end()))
    await listen(server)
    const req = http.request({ port: server.address().port, method: 'POST', headers: { 'Content-Type': TYPE } })
    req.on('error', () => {})
    req.write(body.subarray(0, 1000))
    const [res] = await once(req, 'response')
    req.write(body.subarray(1000))
    res.resume()
    await once(req, 'close')
    await stop(server)
  })

  it('throws what ended it if it begins after the answer', async () => {
    const outcome = new Promise((resolve) => {
      handle = (req, res) => {
        res.end()
        res.once('finish', async () => {
          await turn()
          resolve(readAll(req))
        })
      }
    })
    await post(body)
    const { error, seen } = await outcome
    assert.deepEqual([seen, error.status, error.type, error.message],
      [[], 400, 'multipart.abandoned', 'the files are not read to the end'])
  })

  // [when, drainLimit, what the handler does before it fails]
  for (const [when, drainLimit, act] of [
    ['at once', '64mb', () => {}],
    ['once the request is held back', '64mb', () => delay(50)],
    ['in the loop', '64mb', async ({ files }) => { for await (const { name } of files) assert.equal(name, 'y') }],
    ['in the loop, and more is left than drainLimit', 1000,
      async ({ files }) => { for await (const { name } of files) assert.equal(name, 'y') }]
  ]) {
    it(`lets Express answer an error of the handler, ${when}`, async () => {
      const app = express()
      app.set('env', 'test') // logs no error
      app.use(multipart({ ...stream, drainLimit }), async (req) => {
        await Promise.resolve(act(req)).catch(() => {})
        throw createError(401, 'no')
      })
      const server = http.createServer(app)
      const headers = { 'Content-Type': TYPE }
      const req = http.request({ port: await listen(server), method: 'POST', headers })
      req.on('error', () => {}) // the connection may be closed
      req.end(form(['a', '1'], file('f', Buffer.concat([big, big])), file('g', big)))
      const [res] = await once(req, 'response')
      res.resume()
      assert.equal(res.statusCode, 401)
      stop(server)
    })
  }

  it('goes on in a loop that has begun, if code of the app waits for the end of the request', async () => {
    const { handled } = await upload(multipart(stream), form(file('f', big), file('g', big)), {
      async handle (req) {
        onFinished(req, () => {}) // as Express does before it answers an error
        const lengths = []
        for await (const file of req.files) {
          await delay(20) // the request is held back
          lengths.push((await bytesOf(file)).length)
        }
        return lengths
      }
    })
    assert.deepEqual(handled, [MEGABYTE, MEGABYTE])
  })

  it('throws multipart.abandoned if Express has read the form off', async () => {
    let outcome
    const app = express()
    app.set('env', 'test')
    app.use(multipart(stream), (req, res, next) => {
      outcome = new Promise((resolve) => res.once('close', () => resolve(readAll(req))))
      next(createError(401, 'no'))
    })
    const server = http.createServer(app)
    const req = http.request({ port: await listen(server), method: 'POST', headers: { 'Content-Type': TYPE } })
    req.end(form(file('f', Buffer.concat([big, big])), file('g', big)))
    const [res] = await once(req, 'response')
    res.resume()
    await once(req, 'close')
    const { error, seen } = await outcome
    assert.deepEqual([seen, error.type], [[], 'multipart.abandoned'])
    stop(server)
  })

  it('goes on after the answer if it has begun before', async () => {
    const outcome = new Promise((resolve) => {
      handle = (req, res) => {
        resolve(readAll(req))
        res.end()
      }
    })
    await post(body)
    assert.deepEqual((await outcome).seen.map(([field]) => field), ['f', 'g'])
  })

  it('is of HTTP/2 as well', async () => {
    const server = http2.createServer((req, res) => parser(req, res, async () => {
      const { seen, error } = await readAll(req)
      res.end(`${seen.map(([field, , , , text]) => field + text.length)} ${error}`)
    }))
    await listen(server)
    const client = http2.connect(`http://localhost:${server.address().port}`)
    const request = client.request({ ':method': 'POST', 'content-type': TYPE })
    request.end(body)
    assert.equal(String(await bytesOf(request)), `f${MEGABYTE},g${MEGABYTE} undefined`)
    client.close()
    server.close()
  })
})

describe("a request with store: 'stream'", () => {
  it('has the async context of the caller in the handler and in the loop', async () => {
    const storage = new AsyncLocalStorage()
    const parser = multipart(stream)
    const inContext = (req, res, next) => storage.run('caller', () => parser(req, res, next))
    const body = form(['a', '1'], file('f', 'one'))
    const { handled } = await upload(inContext, [body.subarray(0, 20), body.subarray(20)], {
      async handle ({ files }) {
        const seen = [storage.getStore()]
        for await (const file of files) seen.push(storage.getStore(), String(await bytesOf(file)), storage.getStore())
        return [...seen, storage.getStore()]
      }
    })
    assert.deepEqual(handled, ['caller', 'caller', 'one', 'caller', 'caller'])
  })

  it('is left alone by other parsers, be it the same again', async () => {
    const parser = multipart({ ...stream, files: { f: { min: 1 } } })
    const stack = (req, res, next) => parser(req, res, (error) => {
      if (error) return next(error)
      parser(req, res, (error) => error ? next(error) : json({ type: () => true })(req, res, next))
    })
    const { error, handled } = await upload(stack, form(['a', '1'], file('f', 'one')), { handle: readAll })
    assert.deepEqual([error, handled], [undefined, { seen: [seenFile('f', 'one')] }])
  })

  it('does not hide what next throws', async () => {
    const uncaught = nextUncaught()
    const req = openRequest()
    req.push(form(file('f', 'one')))
    multipart(stream)(req, {}, () => { throw new Error('of next') })
    assert.equal((await uncaught).message, 'of next')
    req.destroy()
  })

  it('fails with what a setter of the app throws', async () => {
    const parser = multipart(stream)
    for (const name of ['body', 'files']) {
      const setting = (req, res, next) => {
        req.body = undefined
        Object.defineProperty(req, name, { get: () => undefined, set () { throw new Error(`no ${name}`) } })
        parser(req, res, next)
      }
      const { calls, error } = await upload(setting, form(file('f', 'one')))
      assert.deepEqual([calls, error.message], [1, `no ${name}`])
    }
  })

  it('may have been read before, with the option buffered', async () => {
    const req = {
      headers: { 'content-type': TYPE, 'content-length': '1' },
      rawBody: form(['a', '1'], file('f', 'one'), ['b', '2'])
    }
    assert.equal(await nextOf(multipart({ ...stream, buffered: true }), req), undefined)
    const { seen, error } = await readAll(req)
    assert.deepEqual([req.body, seen, error.type], [{ a: '1' }, [seenFile('f', 'one')], 'multipart.field.late'])
  })

  it('may be read by a promise of the fields', async () => {
    const req = openRequest()
    req.push(form(['a', '1'], file('f', 'one')))
    req.push(null)
    assert.deepEqual(await multipart(stream).read(req, {}), { a: '1' })
    assert.deepEqual(await readAll(req), { seen: [seenFile('f', 'one')] })
  })

  it('gives parts to a loop over the parts', async () => {
    const req = openRequest()
    req.push(form(file('f', 'one'), ['a', '1']))
    req.push(null)
    const seen = []
    for await (const { field } of multipart(stream).parts(req, {})) seen.push(field)
    assert.deepEqual(seen, ['f', 'a'])
  })

  it('needs next', () => {
    assert.throws(() => multipart(stream)(openRequest(), {}), /^TypeError: next is not a function/)
  })
})
