'use strict'

// Option `store: 'stream'`: the fields first, and then the files in a loop of the handler.

const assert = require('node:assert/strict')
const { AsyncLocalStorage } = require('node:async_hooks')
const http = require('node:http')
const { once } = require('node:events')
const { Readable } = require('node:stream')
const { text } = require('node:stream/consumers')
const { setImmediate: turn, setTimeout: delay } = require('node:timers/promises')
const { json, multipart } = require('../../../')
const { listen, stop } = require('../../../tools/local-server')
const { TYPE, form, messages, nextOf, openRequest, shown, upload } = require('../../support/upload')
const schemaOf = require('../../support/schema-of')
const { nextUncaught } = require('../../support/uncaught')

const MEGABYTE = 2 ** 20
const big = Buffer.alloc(MEGABYTE, 'abcdefg')
const stream = { store: 'stream', limit: '8mb' }
const numberOfA = schemaOf(async ({ a }) => a === '1' ? { value: { a: 1 } } : { issues: [{ message: 'not 1' }] })

/** What a loop gets: fields of each file, and the error that ends it. */
async function readAll ({ files }) {
  const seen = []
  try {
    for await (const file of files) {
      const { field, name, folder, type } = file
      seen.push([field, name, folder, type, await text(file)])
    }
  } catch (error) {
    return { seen, error }
  }
  return { seen }
}

const file = (field, content, name = 'x', type = 'text/plain') => [field, content, name, type]
const seenFile = (field, content, name = 'x', type = 'text/plain') => [field, name, '', type, content]

// [what, options, parts, req.body, files]
const rows = [
  ['fields and files', {}, [['a', '1'], ['b', '2'], file('f', 'one'), file('g', 'two', 'y', 'image/png')],
    { a: '1', b: '2' }, [seenFile('f', 'one'), seenFile('g', 'two', 'y', 'image/png')]],
  ['a form without files', {}, [['a', '1'], ['a', '2']], { a: ['1', '2'] }, []],
  ['nested fields', { extended: true }, [['a[b]', '1'], ['a[c]', '2'], file('f', '')], { a: { b: '1', c: '2' } },
    [seenFile('f', '')]],
  ['fields behind a form control without a file', {},
    [file('f', '', ''), ['a', '1'], file('g', 'one')], { a: '1' }, [seenFile('g', 'one')]],
  ['fields behind a file that is skipped',
    { files: { '*': { max: 3, filter: ({ name }) => name !== 'no' } } },
    [file('f', 'one', 'no'), ['a', '1'], file('f', 'two'), file('f', 'three', 'no'), file('f', 'four')], { a: '1' },
    [seenFile('f', 'two'), seenFile('f', 'four')]],
  ['what a schema makes of the fields', { schema: numberOfA }, [['a', '1'], file('f', 'one')], { a: 1 },
    [seenFile('f', 'one')]],
  ['what a schema makes of a form without files', { schema: numberOfA }, [['a', '1']], { a: 1 }, []]
]

const rule = { files: { f: { max: 2, size: 3, types: ['text/*'] } } }

// [what, options, parts, error]
const refusals = [
  ['a first file that no rule takes', rule, [['a', '1'], file('g', 'one')],
    { status: 400, type: 'multipart.file.unexpected', field: 'g', part: 2 }],
  ['too few files of a form without any', { files: { f: { min: 1 } } }, [['a', '1']],
    { status: 400, type: 'multipart.files.too.few', limit: 1, field: 'f' }],
  ['what a schema refuses', { schema: numberOfA }, [['a', '2'], file('f', 'one')],
    { status: 422, type: 'entity.invalid' }],
  ['what a schema refuses of a form without files', { schema: numberOfA }, [['a', '2']],
    { status: 422, type: 'entity.invalid' }]
]

// [what, options, parts, files before, error]
const faults = [
  ['a field behind a file', {}, [['a', '1'], file('f', 'one'), ['b', '2'], file('f', 'two')], [seenFile('f', 'one')],
    { status: 400, type: 'multipart.field.late', field: 'b', part: 3 }],
  ['a file over its size', rule, [file('f', 'one'), file('f', 'four')], [seenFile('f', 'one')],
    { status: 413, type: 'multipart.file.too.large', limit: 3, field: 'f', part: 2 }],
  ['files over the total', { total: 5 }, [file('f', 'one'), file('f', 'two')], [seenFile('f', 'one')],
    { status: 413, type: 'multipart.files.too.large', limit: 5, field: 'f', part: 2 }],
  ['too few files', { files: { f: { min: 2, max: 2 } } }, [file('f', 'one')], [seenFile('f', 'one')],
    { status: 400, type: 'multipart.files.too.few', limit: 2, field: 'f' }]
]

describe("store: 'stream'", () => {
  for (const [index, [what, options, parts, body, files]] of rows.entries()) {
    it(`gives ${what}`, async () => {
      const parser = multipart({ ...stream, ...options })
      for (const [way, pieces, message] of messages(form(...parts), index)) {
        const { calls, error, handled, ...seen } = await upload(parser, pieces, { ...message, handle: readAll })
        assert.deepEqual([error, calls, seen.body, handled], [undefined, 1, body, { seen: files }], way)
      }
    })
  }

  for (const [index, [what, options, parts, expected]] of refusals.entries()) {
    it(`calls next with the error of ${what}`, async () => {
      const parser = multipart({ ...stream, ...options })
      for (const [way, pieces, message] of messages(form(...parts), index)) {
        const { body, calls, error } = await upload(parser, pieces, message)
        assert.deepEqual([shown(error), calls], [expected, 1], way)
        if (parts.length > 1) assert.equal(body, undefined)
      }
    })
  }

  for (const [index, [what, options, parts, files, expected]] of faults.entries()) {
    it(`throws the error of ${what} in the loop`, async () => {
      const parser = multipart({ ...stream, ...options })
      for (const [way, pieces, message] of messages(form(...parts), index)) {
        const { calls, error, handled } = await upload(parser, pieces, { ...message, handle: readAll })
        assert.deepEqual([error, calls, handled.seen, shown(handled.error)], [undefined, 1, files, expected], way)
      }
    })
  }

  const cut = form(file('f', 'one')).subarray(0, -12)
  const large = [form(file('f', big)).subarray(0, -5), Buffer.concat([Buffer.from('\r\n'), form(file('g', big))])]
  // [what, options, body, message, files before, error, ms before the loop]
  const ends = [
    ['request.aborted if the client leaves within a file', {}, cut, { cut: true }, [], 'request.aborted', 0],
    ['request.aborted in a loop that begins after the client has left', {}, cut, { cut: true }, [], 'request.aborted',
      50],
    ['the error of a form over its limit in the loop', { limit: '1.5mb' }, large, { chunked: true }, ['f'],
      'entity.too.large', 0]
  ]
  for (const [what, options, pieces, message, before, type, ms] of ends) {
    it(`throws ${what}`, async () => {
      const handle = (req) => delay(ms).then(() => readAll(req))
      const parser = multipart({ ...stream, ...options })
      const { calls, error, handled } = await upload(parser, pieces, { ...message, handle })
      assert.deepEqual([error, calls, handled.seen.map(([field]) => field), handled.error.type],
        [undefined, 1, before, type])
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

  it('discards a file that was not read when the next is asked for', async () => {
    const seen = []
    const { handled } = await upload(multipart(stream), form(['a', '1'], file('f', big), file('g', big)), {
      async handle ({ files }) {
        const unread = []
        for await (const file of files) unread.push(file)
        for (const file of unread) await text(file).catch(({ type }) => seen.push([file.field, type]))
        return 'done'
      }
    })
    assert.deepEqual([handled, seen],
      ['done', [['f', 'multipart.file.discarded'], ['g', 'multipart.file.discarded']]])
  })

  it('gives the files to one loop, and tells a second one so', async () => {
    for (const body of [form(file('f', 'one')), form(['a', '1'])]) {
      const { handled } = await upload(multipart(stream), body, {
        handle: async (req) => [await readAll(req), (await readAll(req)).error][1]
      })
      assert.deepEqual([handled.name, handled.message], ['TypeError', 'the files are read by another loop'])
    }
  })

  it('has an empty loop for a request without a form', async () => {
    for (const [type, body] of [['text/plain', 'text'], ['', '']]) {
      const headers = { 'Content-Type': type }
      const { handled, error } = await upload(multipart(stream), Buffer.from(body), { headers, handle: readAll })
      assert.deepEqual([error, handled], [undefined, { seen: [] }])
    }
  })

  it('leaves no listener on the request', async () => {
    const { handled } = await upload(multipart(stream), form(['a', '1'], file('f', 'one')), {
      handle: async (req) => [(await readAll(req)).seen.length, req.listenerCount('pause')]
    })
    assert.deepEqual(handled, [1, 0])
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
  // [what, what the handler does]
  for (const [what, act] of [
    ['is never begun', () => {}],
    ['ends before the first file', ({ files }) => { files[Symbol.asyncIterator]().return() }],
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
    ['throws', async ({ files }) => {
      for await (const file of files) throw new Error(file.name) // eslint-disable-line no-unreachable-loop
    }]
  ]) {
    it(`discards the rest if it ${what}, and the connection is used again`, async () => {
      handle = async (req, res) => {
        await Promise.resolve(act(req)).catch(() => { res.statusCode = 500 })
        res.end()
      }
      const first = await post(body)
      assert.equal(first.status, what.includes('throw') ? 500 : 200)
      handle = (req, res) => readAll(req).then(({ error }) => res.writeHead(error ? 500 : 200).end())
      assert.deepEqual(await post(body), { status: 200, isReused: true })
    })
  }

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
        for await (const file of files) seen.push(storage.getStore(), await text(file), storage.getStore())
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

  it('may have been read before, with the option buffered, by a promise of the fields', async () => {
    const headers = { 'content-type': TYPE, 'content-length': '1' }
    const req = { headers, rawBody: form(['a', '1'], file('f', 'one'), ['b', '2']) }
    const fields = await multipart({ ...stream, buffered: true }).read(req, {})
    const { seen, error } = await readAll(req)
    assert.deepEqual([fields, seen, error.type], [{ a: '1' }, [seenFile('f', 'one')], 'multipart.field.late'])
  })

  it('needs next', () => {
    assert.throws(() => multipart(stream)(openRequest(), {}), /^TypeError: next is not a function/)
  })
})
