'use strict'

const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const { setImmediate: turn } = require('node:timers/promises')
const { inspect } = require('node:util')
const { z } = require('zod')
const bodyParser = require('fast-body-parser')
const web = require('fast-body-parser/web')
const { isCancelSafe } = require('../../lib/web/node')
const { browser } = require('../../package.json')
const { arrivals } = require('../support/arrival')
const { CODERS_OF_WEB } = require('../support/coders')
const TYPES = require('../support/types')
const { post: postBody, postPieces, requestLike, streamOf } = require('../support/web-request')
const { builtins } = require('../support/where')
const within = require('../support/within')

const OF_ICONV = /charset=(?:big5|utf-7)$/ // which TextDecoder decodes in another way, or not at all
const parsers = ['json', 'jsonArray', 'multipart', 'ndjson', 'raw', 'text', 'urlencoded'].map((name) => web[name])
const mayCancel = isCancelSafe()

const JSON_TYPE = { 'content-type': TYPES.json }
const post = (body, headers) => postPieces([body], headers)
const typed = (value) => value instanceof Uint8Array ? { bytes: Array.from(value) } : value

const FIELDS = ['status', 'statusCode', 'expose', 'type', 'message', 'limit', 'charset', 'encoding', 'depth']

/** What comes of a body, in the words of both. */
async function settle (promise) {
  try {
    return { value: typed(await promise) }
  } catch (error) {
    const fields = FIELDS.map((name) => [name, error[name]])
    return { name: error.constructor.name, body: typed(error.body), ...Object.fromEntries(fields) }
  }
}

const ofMiddleware = (name, { verify, ...others }, headers, body) => settle(new Promise((resolve, reject) => {
  const req = { headers, rawBody: Buffer.from(body) }
  const options = { ...others, ...(verify && { verify: (req, res, ...more) => verify(req, undefined, ...more) }) }
  bodyParser[name]({ ...options, buffered: true })(req, {}, (error) => error ? reject(error) : resolve(req.body))
}))

describe('fast-body-parser/web', () => {
  it('gives the signal of the Request to verify and to parse', async () => {
    const signals = []
    const read = web.json({
      verify: (req, res, bytes, charset, { signal }) => { signals.push(signal) },
      parse: (text, { signal }) => { signals.push(signal) }
    })
    const request = post('[1]', JSON_TYPE)
    await read(request)
    assert.deepEqual([signals.length, signals.every((signal) => signal === request.signal)], [2, true])
  })

  it('fails if there is no memory to join the chunks in', async () => {
    const chunks = [Buffer.alloc(5000, 'x'), Buffer.alloc(5000, 'x')]
    let isFull = false
    const body = new ReadableStream({
      pull (controller) {
        if (chunks.length > 0) return controller.enqueue(new Uint8Array(chunks.shift()))
        isFull = true
        controller.close()
      }
    }, { highWaterMark: 0 })
    const { concat } = Buffer
    const concatInMemory = (...args) => {
      if (isFull) throw new RangeError('no memory')
      return concat(...args)
    }
    await within(Buffer, { concat: concatInMemory }, () =>
      assert.rejects(web.text()(postBody(body, { 'content-type': 'text/plain' })), { message: 'no memory' }))
  })

  // [parser, options, type, body]: the middleware decides what is right
  const rows = [
    ['json', {}, TYPES.json, '{"a":[1,"é"]}'],
    ['json', {}, TYPES.json, '\uFEFF{"a":1}'],
    ['json', {}, TYPES.json, '{"a":'],
    ['json', {}, TYPES.json, '5'],
    ['json', {}, TYPES.json, '  '],
    ['json', { reviver () { throw Object.assign(new Error('no'), { status: 422, type: 'own' }) } }, TYPES.json, '{}'],
    ['json', { parse: async (text, { charset }) => [text, charset] }, TYPES.json, '{}'],
    ['json', { limit: 5 }, TYPES.json, '[1234]'],
    ['json', { limit: () => true }, TYPES.json, '{}'],
    ['json', { verify () { throw new Error('no') } }, TYPES.json, '{}'],
    ['json', { verify: () => Promise.reject(Object.assign(new Error('no'), { status: 401, type: 'own' })) }, TYPES.json,
      '{}'],
    ['json', { verify () { throw null } }, TYPES.json, '{}'], // eslint-disable-line no-throw-literal
    ['json', {}, `${TYPES.json}; charset=utf-16le`, Buffer.from('{"a":"é"}', 'utf16le')],
    ['json', {}, `${TYPES.json}; charset=utf-bogus`, '{}'],
    ['json', {}, `${TYPES.json}; charset=latin1`, '{}'],
    ['json', { defaultCharset: 'utf-16le' }, TYPES.json, Buffer.from('{}', 'utf16le')],
    ['json', { type: ['a/b', '+json'] }, 'application/problem+json; x=y', '{}'],
    ['json', { type: '*/b' }, 'a/b', '{}'],
    ['json', { schema: z.object({ a: z.number() }) }, TYPES.json, '{"a":1,"b":2}'],
    ['json', { schema: z.object({ a: z.number() }).refine(async () => true) }, TYPES.json, '{"a":"x"}'],
    ['json', { empty: 'error', schema: z.object({}) }, TYPES.json, '{}'],
    ['raw', {}, TYPES.raw, Buffer.from([0, 255, 10])],
    ['raw', { type: '*/*', limit: 2 }, 'a/b', 'abc'],
    ['text', {}, TYPES.text, '\uFEFF\uFEFFx'],
    ['text', {}, TYPES.text, Buffer.from([0x61, 0xFF, 0xE2, 0x82])],
    ['text', {}, `${TYPES.text}; charset=iso-8859-1`, Buffer.from(Array.from({ length: 256 }, (_, i) => i))],
    ['text', {}, `${TYPES.text}; charset=windows-1252`, Buffer.from([0x61, 0xE9])],
    ['text', {}, `${TYPES.text}; charset=big5`, Buffer.from([0x83, 0x5C, 0xA7, 0xAA])],
    ['text', {}, `${TYPES.text}; charset=utf-7`, 'a+AOk-'],
    ['text', {}, `${TYPES.text}; charset=shift_jis`, Buffer.from([0x82, 0xA0])],
    ['text', { defaultCharset: 'UTF-16LE' }, TYPES.text, Buffer.from('été', 'utf16le')],
    ['text', {}, `${TYPES.text}; charset=bogus`, 'x'],
    ['text', { defaultCharset: 'Bogus' }, TYPES.text, 'x'],
    ['text', {}, TYPES.json, 'x'],
    ['urlencoded', {}, TYPES.urlencoded, 'a=1&b[c]=2&d=%C3%A9+x'],
    ['urlencoded', { extended: true }, TYPES.urlencoded, 'a[b]=1&a[c][]=2&toString=3'],
    ['urlencoded', { parameterLimit: 1 }, TYPES.urlencoded, 'a=1&b=2'],
    ['urlencoded', { defaultCharset: 'iso-8859-1', interpretNumericEntities: true }, TYPES.urlencoded,
      'a=%E9&b=%26%239786%3B'],
    ['urlencoded', {}, `${TYPES.urlencoded}; charset=utf-16`, 'a=1']
  ]
  for (const [name, options, type, body] of rows) {
    const bytes = Buffer.from(body)
    const { it } = OF_ICONV.test(type) ? builtins : globalThis
    it(`${name} of ${JSON.stringify(options)}: ${type}, ${JSON.stringify(bytes.toString('latin1').slice(0, 40))}`, async () => {
      const headers = { 'content-type': type }
      const expected = await ofMiddleware(name, options, headers, bytes)
      if (expected.type === 'entity.parse.failed' && options.parse === undefined) {
        assert.equal(typeof expected.body, 'string')
      }
      const read = web[name](options)
      const ways = Object.entries(arrivals(bytes)).map(([way, pieces]) => [way, pieces, headers])
      const declared = ['declared', [bytes], { ...headers, 'content-length': String(bytes.length) }]
      for (const [way, pieces, fields] of [declared, ...ways]) {
        assert.deepEqual(await settle(read(postPieces(pieces, fields))), expected, way)
      }
    })
  }

  it('gives undefined without content, and with content of another type, which it leaves', async () => {
    const read = web.json()
    assert.equal(await read(new Request('http://localhost/')), undefined)
    assert.equal(await read(new Request('http://localhost/', { method: 'POST', headers: JSON_TYPE })), undefined)
    assert.equal(await read(post('', JSON_TYPE)), undefined)
    const form = post('a=1', { 'content-type': TYPES.urlencoded })
    assert.equal(await read(form), undefined)
    assert.equal(form.bodyUsed, false)
    assert.deepEqual(await web.urlencoded()(form), { a: '1' })
    assert.equal(await read(post('{}')), undefined)
  })

  for (const [name, empty] of [['json', {}], ['raw', { bytes: [] }], ['text', ''], ['urlencoded', {}]]) {
    it(`${name} gives what the middleware does for a body of no bytes`, async () => {
      for (const headers of [{ 'content-length': '0' }, { 'transfer-encoding': 'chunked' }]) {
        const fields = { 'content-type': TYPES[name], ...headers }
        const requests = [post('', fields), new Request('http://localhost/', { method: 'POST', headers: fields })]
        for (const request of requests) assert.deepEqual(typed(await web[name]()(request)), empty)
      }
    })
  }

  it('has the option empty', async () => {
    const none = () => new Request('http://localhost/')
    const empty = () => post('', { ...JSON_TYPE, 'content-length': '0' })
    assert.deepEqual([await web.json({ empty: {} })(none()), await web.json({ empty: {} })(empty())], [{}, {}])
    assert.deepEqual([await web.json({ empty: undefined })(none()), await web.json({ empty: undefined })(empty())],
      [undefined, undefined])
    assert.equal(await web.json({ empty: 'error' })(none()), undefined)
    await assert.rejects(web.json({ empty: 'error' })(empty()), { status: 400, type: 'entity.empty' })
  })

  it('gives the same promise for the same request', async () => {
    const read = web.json()
    const request = post('[1]', JSON_TYPE)
    assert.equal(read(request), read(request))
    assert.deepEqual(await read(request), [1])
    const broken = post('{', JSON_TYPE)
    const errors = await Promise.all([read(broken), read(broken)].map((promise) => promise.catch((error) => error)))
    assert.equal(errors[0], errors[1])
  })

  it('reports a body that other code reads', async () => {
    const request = post('[1]', JSON_TYPE)
    request.body.getReader()
    await assert.rejects(web.json()(request), { status: 500, type: 'stream.not.readable', expose: false })
  })

  it('gives each request an error of its own, if the app throws the same one', async () => {
    const shared = new Error('no')
    const fail = () => { throw shared }
    for (const options of [{ parse: fail }, { verify: fail }, { verify: async () => fail() }]) {
      const read = web.json(options)
      const errors = await Promise.all(['[1]', '[2]'].map((body) =>
        read(post(body, JSON_TYPE)).catch((error) => error)))
      assert.deepEqual(errors.map(({ body }) => Buffer.from(body).toString()), ['[1]', '[2]'])
      for (const { message, type } of errors) {
        assert.deepEqual([message, type], ['no', options.parse ? 'entity.parse.failed' : 'entity.verify.failed'])
      }
    }
  })

  it('gives verify the request and the bytes', async () => {
    let seen
    const request = post('{"é":1}', { ...JSON_TYPE, 'content-encoding': 'identity' })
    await web.json({ verify: (...args) => { seen = args } })(request)
    assert.deepEqual(seen, [request, undefined, new Uint8Array(Buffer.from('{"é":1}')), 'utf-8'])
    await web.raw({ verify: (...args) => { seen = args } })(post('x', { 'content-type': TYPES.raw }))
    assert.deepEqual(seen.slice(1), [undefined, Uint8Array.of(0x78), null])
  })

  it('holds a body against the limit', async () => {
    for (const [limit, headers, fields] of [
      [2, { 'content-length': '3' }, { length: 3, expected: 3 }], [2, {}, { received: 3 }], [-1, {}, { received: 3 }]
    ]) {
      await assert.rejects(web.json({ limit })(post('[1]', { ...JSON_TYPE, ...headers })),
        { type: 'entity.too.large', limit, ...fields })
    }
  })

  describe('where there is no zlib', () => {
    const { getBuiltinModule } = process
    const headers = (coding) => ({ 'content-type': TYPES.text, 'content-encoding': coding })

    before(() => { process.getBuiltinModule = undefined })

    after(() => { process.getBuiltinModule = getBuiltinModule })

    for (const coding of ['br', 'ZSTD', 'brotli']) {
      it(`refuses ${coding}, of which a few bytes may fill the memory`, async () => {
        await assert.rejects(web.text()(post('{}', headers(coding))),
          { status: 415, type: 'encoding.unsupported', encoding: coding.toLowerCase() })
      })
    }

    for (const coding of ['gzip', 'deflate']) {
      it(`looks at the limit after each KiB of ${coding}`, async () => {
        const lengths = []
        class DecompressionStream extends TransformStream {
          constructor (format) {
            assert.equal(format, coding)
            super({
              transform (piece, controller) {
                lengths.push(piece.length)
                controller.enqueue(new Uint8Array(piece.length * 1000)) // about the most that deflate makes of it
              }
            })
          }
        }
        await within(globalThis, { DecompressionStream }, () =>
          assert.rejects(web.text({ limit: '1500kb' })(post(Buffer.alloc(100_000), headers(coding))),
            { status: 413, received: 2_048_000 }))
        assert.ok(lengths.length <= 3 && lengths.every((length) => length === 1024), String(lengths))
      })
    }
  })

  describe('after an error', () => {
    /** Sends so many pieces of 1,000 bytes; gives what is pulled of them. */
    async function send (count, options, { headers, status = 413, controller = new AbortController(), leavesAt } = {}) {
      const seen = { pulled: 0, cancelled: false }
      const body = new ReadableStream({
        async pull (stream) {
          await turn() // what the pieces before lead to
          if (seen.pulled === leavesAt) controller.abort()
          if (seen.pulled === count) return stream.close()
          seen.pulled++
          stream.enqueue(new Uint8Array(1000).fill(0x20))
        },
        cancel () { seen.cancelled = true }
      }, { highWaterMark: 0 })
      const request = postBody(body, { ...JSON_TYPE, ...headers }, { signal: controller.signal })
      await assert.rejects(web.json({ limit: 1500, ...options })(request), { status })
      return seen
    }

    for (const [what, headers, status] of [
      ['a body', {}],
      ['a declared body', { 'content-length': '50000' }],
      ['a corrupt body', { 'content-encoding': 'gzip' }, 400]
    ]) {
      it(`reads off the rest of ${what}, so that the connection can be used`, async () => {
        assert.deepEqual(await send(50, {}, { headers, status }), { pulled: 50, cancelled: false })
      })
    }

    it('cancels it above drainLimit', async () => {
      const { pulled, cancelled } = await send(1000, { drainLimit: 10_000 })
      assert.equal(cancelled, mayCancel)
      assert.ok(pulled <= 14, `${pulled}`)
    })

    it('reads off as much as drainLimit', async () => {
      assert.deepEqual(await send(5, { drainLimit: 3000 }), { pulled: 5, cancelled: false })
      assert.deepEqual(await send(5, { drainLimit: 5000 }, { headers: { 'content-length': '5000' } }),
        { pulled: 5, cancelled: false })
    })

    it('keeps that error if the client leaves while the rest is read off', () => send(5, {}, { leavesAt: 4 }))
  })

  it('reports a body that fails', async () => {
    for (const headers of [{}, { 'content-encoding': 'gzip' }]) {
      const controller = new AbortController()
      const broken = (signal) => postBody(new ReadableStream({
        pull (stream) {
          if (signal) controller.abort()
          stream.error(new Error('broken'))
        }
      }, { highWaterMark: 0 }), { ...JSON_TYPE, ...headers }, signal && { signal })
      await assert.rejects(web.json()(broken()), { status: 400, message: 'broken' })
      await assert.rejects(web.json()(broken(controller.signal)),
        { status: 400, type: 'request.aborted', code: 'ECONNABORTED', length: null })
    }
    const body = new ReadableStream({ pull (stream) { stream.error(new Error('broken')) } })
    await assert.rejects(web.json()(requestLike(body, JSON_TYPE)), { status: 400, message: 'broken' })
  })

  for (const value of [undefined, null, 'text', {}, { headers: { 'content-type': TYPES.json } }]) {
    it(`refuses ${JSON.stringify(value)} in place of a Request, with one rejection`, async () => {
      const promise = web.json()(value)
      await assert.rejects(promise, { name: 'TypeError', message: /^read takes a Request/ })
    })
  }

  it('rejects with an error if a function of the app throws undefined', async () => {
    const fail = (nothing = undefined) => { throw nothing }
    for (const options of [{ limit: () => fail() }, { type: () => fail() }]) {
      await assert.rejects(web.json(options)(post('{}', JSON_TYPE)), { name: 'InternalServerError', status: 500 })
    }
  })

  it('refuses content of another type rather than have a schema check undefined', async () => {
    const read = web.json({ schema: z.object({}) })
    await assert.rejects(read(post('{}', { 'content-type': TYPES.text })), {
      status: 415,
      type: 'media.type.unsupported',
      message: 'unsupported media type "text/plain"'
    })
    await assert.rejects(read(post('', { 'content-type': TYPES.text, 'content-length': '0' })),
      { status: 422, type: 'entity.invalid' })
    await assert.rejects(read(post('{}')), { message: 'unsupported media type: the request names none' })
    const other = post('{}', { 'content-type': TYPES.text })
    await other.text()
    await assert.rejects(read(other), { status: 422 })
  })

  it('gives the bytes of raw in memory of their own, without anything behind them', async () => {
    const bytes = await web.raw()(postPieces([Buffer.from('ab'), Buffer.from('c')], { 'content-type': TYPES.raw }))
    assert.equal(Buffer.from(bytes.buffer).toString(), 'abc')
  })

  it('reads bytes in memory that may be resized, coded or not, and that is resized afterwards', async () => {
    for (const [coding, code] of Object.entries({ identity: Buffer.from, ...CODERS_OF_WEB })) {
      const bytes = code('[1234]')
      const memory = new ArrayBuffer(bytes.length + 9, { maxByteLength: 100 })
      const chunk = new Uint8Array(memory, 5, bytes.length)
      chunk.set(bytes)
      const pull = async (controller) => {
        if (memory.byteLength === 0) return controller.close()
        controller.enqueue(chunk)
        await turn()
        memory.resize(0)
      }
      const body = new ReadableStream({ pull }, { highWaterMark: 0 })
      const headers = { ...JSON_TYPE, 'content-encoding': coding }
      assert.deepEqual(await web.json()(postBody(body, headers)), [1234], coding)
    }
  })

  const { buffer } = new Uint8Array(Buffer.from('[1234]'))
  const taken = (View) => {
    const chunk = new View(new ArrayBuffer(8))
    structuredClone(chunk.buffer, { transfer: [chunk.buffer] })
    return [chunk]
  }
  const shrunk = (View) => {
    const memory = new ArrayBuffer(8, { maxByteLength: 16 })
    const chunks = [new Uint8Array(Buffer.from('[1]')), new View(memory, 4, 2)]
    memory.resize(4)
    return chunks
  }
  const wrongType = (chunk) => ({
    status: 500,
    type: 'stream.not.readable',
    message: `stream is not readable: it gave a chunk of type ${typeof chunk}`
  })
  const lost = { status: 500, type: 'stream.not.readable' }
  // [what, chunks, error]
  const views = [
    ['a Uint16Array', [new Uint16Array(buffer)]],
    ['a DataView', [new DataView(buffer)]],
    ...[Uint8Array, DataView].map((View) => [`a ${View.name} whose memory other code has taken`, taken(View), lost]),
    ...[Uint8Array, Uint16Array, DataView].map((View) =>
      [`a ${View.name} whose memory has shrunk to less than it had`, shrunk(View), lost]),
    ...[new ArrayBuffer(2), { a: 1 }, 5, undefined].map((chunk) => [`${inspect(chunk)}`, [chunk], wrongType(chunk)]),
    ['a string', ['{}'], { status: 500, type: 'stream.encoding.set' }]
  ]
  for (const [what, chunks, error] of views) {
    it(`${error ? 'reports' : 'reads'} a chunk that is ${what}`, async () => {
      const promise = web.json()(requestLike(streamOf(chunks), JSON_TYPE))
      if (error) await assert.rejects(promise, error)
      else assert.deepEqual(await promise, [1234])
    })
  }

  it('reports a chunk whose memory other code takes before the last one comes', async () => {
    for (const count of [1, 2]) {
      const chunks = Array.from({ length: count }, () => new Uint8Array(Buffer.from(' '.repeat(5000))))
      const results = chunks.map((value) => ({ done: false, value }))
      const read = async () => {
        const result = results.shift()
        if (result === undefined) structuredClone(chunks[0], { transfer: [chunks[0].buffer] })
        return result ?? { done: true }
      }
      await assert.rejects(web.json()(requestLike({ getReader: () => ({ read }) }, JSON_TYPE)), lost)
    }
  })

  it('has patterns for all characters of a media type', async () => {
    for (const type of ['a$&/b+c', 'x!#-^_/b+c']) {
      for (const pattern of ['*/*', '+c', '*/*+c', '*/b+c', type]) {
        assert.deepEqual(await web.json({ type: pattern })(post('[1]', { 'content-type': type })), [1], pattern)
      }
    }
    assert.equal(await web.json({ type: 'a/b.c' })(post('[1]', { 'content-type': 'a/b-c' })), undefined)
  })

  it('takes what is not a media type for no type, as the middleware does', async () => {
    for (const type of ['a.b/c', 'a+b/c', 'a/b/c']) {
      assert.equal(await web.json({ type: '*/*' })(post('[1]', { 'content-type': type })), undefined, type)
    }
  })

  it('has a type function', async () => {
    const request = post('[1]')
    let seen
    assert.deepEqual(await web.json({ type: (...args) => (seen = args[0]) })(request), [1])
    assert.equal(seen, request)
    assert.equal(await web.json({ type: () => false })(post('[1]')), undefined)
  })

  const lacking = { buffered: false, cooperative: false, rawBody: false }
  for (const [name, off] of Object.entries(lacking)) {
    it(`does not have ${name}, which may be off`, () => {
      for (const parser of parsers) {
        assert.throws(() => parser({ [name]: true }),
          { name: 'TypeError', message: `option ${name} cannot be combined with fast-body-parser/web` })
        const isKnown = name !== 'cooperative' || parser === web.json
        const values = isKnown ? [undefined, null, off] : [undefined, null]
        for (const none of values) assert.equal(typeof parser({ [name]: none }), 'function')
      }
    })
  }

  for (const type of [
    'json', 5, [], 'a/b/c', ['a/b', 'urlencoded'], '*', 'a/b+*', 'a*/b', {}, 'A/B', 'a/b; c=d', Symbol('a/b')
  ]) {
    it(`does not take the type ${inspect(type)}`, () => {
      assert.throws(() => web.raw({ type }), { name: 'TypeError', message: /^option type must be/ })
    })
  }

  it('checks the other options as the middleware does', () => {
    for (const [name, options] of [
      ['json', { limit: 'x' }], ['json', { empty: 5 }], ['text', { defaultCharset: 5 }],
      ['urlencoded', { defaultCharset: 'x' }], ['raw', { schema: {} }]
    ]) {
      const messageOf = (factory) => { try { return factory(options) } catch ({ message }) { return message } }
      assert.equal(typeof messageOf(web[name]), 'string')
      assert.equal(messageOf(web[name]), messageOf(bodyParser[name]))
    }
    for (const options of [undefined, null, 5, {}]) {
      for (const parser of parsers) assert.equal(typeof parser(options), 'function')
    }
  })

  it('names no module of Node in the files that it may load, and that bundles have', () => {
    const root = path.join(__dirname, '../..')
    const visited = new Set(Object.keys(browser).map((name) => path.join(root, name)))
    const { size } = visited
    const visit = (file) => {
      if (visited.has(file)) return
      visited.add(file)
      const source = fs.readFileSync(file, 'utf8')
      for (const [, id] of source.matchAll(/require\('([^']*)'\)/g)) {
        assert.doesNotMatch(id, /^node:/, file)
        if (id.startsWith('.')) visit(require.resolve(path.resolve(path.dirname(file), id)))
      }
    }
    visit(require.resolve('fast-body-parser/web'))
    assert.ok(visited.size > size + 10)
  })
})
