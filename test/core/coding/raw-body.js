'use strict'

const assert = require('node:assert/strict')
const zlib = require('node:zlib')
const subject = require('fast-body-parser')
const exchange = require('../../support/exchange')
const { lanesOf, messageOf } = require('../../support/lanes')
const { typed } = require('../../support/outcome')
const { table } = require('../../support/table')
const OF_BODY_PARSER = require('../../support/types')

const TYPES = { ...OF_BODY_PARSER, custom: 'application/x-ndjson' }

/** The parser of this name; one of the app's own, too. */
function make (name, options, bodyParser = subject) {
  if (name !== 'custom') return bodyParser[name](options)
  return bodyParser.createParser({ type: TYPES.custom, parse: (text) => text.split('\n').map(JSON.parse), ...options })
}

/** Sends the message; gives the outcome, with the request itself. */
async function send (parser, message) {
  let req
  const seen = await exchange((request, res, next) => {
    req = request
    parser(request, res, next)
  }, message)
  return { ...seen, req }
}

const parsers = [
  ['json', '{"name":"論","list":[1,2,3]}'],
  ['raw', Buffer.from([0, 1, 254, 255, 10, 13])],
  ['text', 'été'],
  ['urlencoded', 'a=1&b=%C3%A9'],
  ['custom', '{"a":1}\n{"b":[2]}']
]

/** A JSON text of this size, filled with one letter. */
const filled = (letter, size) => Buffer.from(`["${letter.repeat(size - 4)}"]`)

/** Whether two Buffers have a byte of memory in common. */
function overlap (a, b) {
  return a.buffer === b.buffer && a.byteOffset < b.byteOffset + b.length && b.byteOffset < a.byteOffset + a.length
}

describe('option rawBody', () => {
  for (const [name, body] of parsers) {
    describe(`of ${name}()`, () => {
      const bytes = Buffer.from(body)
      for (const [lane, message] of Object.entries(lanesOf({ headers: { 'Content-Type': TYPES[name] }, body }))) {
        it(`keeps the bytes of a body, ${lane}`, async () => {
          const without = await send(make(name), message)
          const seen = await send(make(name, { rawBody: true }), message)
          assert.ok(Buffer.isBuffer(seen.req.rawBody))
          assert.ok(seen.req.rawBody.equals(bytes))
          assert.equal('rawBody' in without.req, false)
          for (const outcome of [seen, without]) {
            delete outcome.req
            delete outcome.complete // depends on how fast zlib's thread is
            delete outcome.ended
          }
          assert.deepEqual(seen, without)
          assert.equal(seen.error, 'none')
        })

        it(`keeps the bytes before verify is called, ${lane}`, async () => {
          const calls = []
          for (const isAsync of [false, true]) {
            const verify = (req, res, buf) => {
              calls.push([req.rawBody === buf, buf.equals(bytes), req.body])
              return isAsync ? new Promise((resolve) => setImmediate(resolve)) : undefined
            }
            const { req, error } = await send(make(name, { rawBody: true, verify }), message)
            assert.equal(error, 'none')
            assert.ok(req.rawBody.equals(bytes))
          }
          assert.deepEqual(calls, [[true, true, undefined], [true, true, undefined]])
        })
      }
    })
  }

  // Parsers that do not show the bytes join chunks in memory that the next body
  // overwrites.
  describe('keeps bytes that no other request overwrites', () => {
    for (const size of [100, 5000, 120_000]) {
      const headers = { 'Content-Type': TYPES.json }
      const ways = (letter) => lanesOf({ headers, body: filled(letter, size) })
      for (const lane of Object.keys(ways('a'))) {
        it(`for ${size} bytes, ${lane}`, async () => {
          const options = { limit: '1mb' }
          const [keeping, plain] = [subject.json({ ...options, rawBody: true }), subject.json(options)]
          const { req: first } = await send(keeping, ways('a')[lane])
          const { req: second } = await send(keeping, ways('b')[lane])
          const { req: third } = await send(plain, ways('c')[lane])
          assert.ok(first.rawBody.equals(filled('a', size)), 'the first was overwritten')
          assert.ok(second.rawBody.equals(filled('b', size)), 'the second was overwritten')
          assert.deepEqual(third.body, ['c'.repeat(size - 4)])
          assert.equal(overlap(first.rawBody, second.rawBody), false)

          second.rawBody.fill('x') // which belongs to the app
          const { req: fourth } = await send(plain, ways('d')[lane])
          assert.deepEqual(fourth.body, ['d'.repeat(size - 4)])
          assert.ok(first.rawBody.equals(filled('a', size)))
          assert.ok(second.rawBody.equals(Buffer.alloc(size, 'x')))
        })
      }
    }
  })

  describe('keeps', () => {
    const json = { 'Content-Type': TYPES.json }
    const gzip = { ...json, 'Content-Encoding': 'gzip' }
    const refuse = { verify () { throw new Error('no') } }
    const refuseLater = { verify: () => Promise.reject(new Error('no')) }
    const rows = [
      ['an empty body', { headers: json, body: '' }, {}, ''],
      ['an empty chunked body', { headers: json, body: '', chunked: true }, {}, ''],
      ['a coded body that is empty', { headers: gzip, body: zlib.gzipSync('') }, {}, ''],
      ['no body', { headers: json }, {}, null],
      ['a body of another type', { headers: { 'Content-Type': 'a/b' }, body: '{}' }, {}, null],
      ['a body of no type', { body: '{}' }, {}, null],
      ['a body that type refuses', { headers: json, body: '{}' }, { type: () => false }, null],
      ['a syntax error', { headers: json, body: '{"a":' }, {}, '{"a":', [400, 'entity.parse.failed']],
      ['a text that strict refuses', { headers: json, body: '5' }, {}, '5', [400, 'entity.parse.failed']],
      ['a text that nests too deep', { headers: json, body: '[[]]' }, { depth: 1 }, '[[]]', [400, 'entity.too.deep']],
      ['a body that verify refuses', { headers: json, body: '{}' }, refuse, '{}', [403, 'entity.verify.failed']],
      ['a body that verify refuses later', { headers: json, body: '{}' }, refuseLater, '{}',
        [403, 'entity.verify.failed']],
      ['a byte order mark', { headers: json, body: Buffer.from('\uFEFF{}') }, {}, '\uFEFF{}'],
      ['utf-16',
        { headers: { 'Content-Type': 'application/json; charset=utf-16le' }, body: Buffer.from('{}', 'utf16le') }, {},
        '{\0}\0'],
      ['a refused charset', { headers: { 'Content-Type': 'application/json; charset=x' }, body: '{}' }, {}, null,
        [415, 'charset.unsupported']],
      ['an unknown charset', { headers: { 'Content-Type': 'application/json; charset=utf-x' }, body: '{}' }, {}, null,
        [415, 'charset.unsupported']],
      ['an unknown coding', { headers: { ...json, 'Content-Encoding': 'x' }, body: '{}' }, {}, null,
        [415, 'encoding.unsupported']],
      ['a body over the limit', { headers: json, body: '{"a":1}' }, { limit: 5 }, null, [413, 'entity.too.large']],
      ['a chunked body over the limit', { headers: json, body: '{"a":1}', chunked: true }, { limit: 5 }, null,
        [413, 'entity.too.large']],
      ['a coded body over the limit', { headers: gzip, body: zlib.gzipSync('{"a":1}') }, { limit: 5 }, null,
        [413, 'entity.too.large']],
      ['a corrupt coded body', { headers: gzip, body: 'junk' }, {}, null, [400, undefined]],
      ['a client that leaves', { headers: json, body: '{"a"', length: 9, cut: true }, {}, null,
        [400, 'request.aborted']]
    ]
    for (const [what, request, options, expected, [status, type] = []] of rows) {
      it(`${expected === null ? 'nothing' : JSON.stringify(expected)} of ${what}`, async () => {
        const { req, error, next } = await send(subject.json({ rawBody: true, ...options }), messageOf(request))
        assert.equal(next, 1)
        assert.deepEqual([error.status, error.type], [status, type])
        assert.equal('rawBody' in req, expected !== null)
        if (expected !== null) assert.ok(Buffer.isBuffer(req.rawBody) && req.rawBody.equals(Buffer.from(expected)))
        assert.ok('body' in req)
      })
    }

    it('nothing if req.rawBody cannot be set, and calls next once', async () => {
      const parser = subject.json({ rawBody: true })
      const { error, next, req } = await send(
        (req, res, next) => parser(Object.defineProperty(req, 'rawBody', { get () {} }), res, next),
        messageOf({ headers: json, body: '{}' })
      )
      assert.deepEqual([error.type, next, req.body], ['entity.parse.failed', 1, undefined])
    })

    it('the same Buffer as req.body for raw()', async () => {
      const { req } = await send(subject.raw({ rawBody: true }),
        messageOf({ headers: { 'Content-Type': TYPES.raw }, body: 'x' }))
      assert.equal(req.rawBody, req.body)
    })

    it('the body of the first of two parsers', async () => {
      const [first, second] = [subject.json({ rawBody: true }), subject.text({ type: () => true, rawBody: true })]
      const { req, body } = await send((req, res, next) => first(req, res, () => second(req, res, next)),
        messageOf({ headers: json, body: '{}' }))
      assert.equal(String(req.rawBody), '{}')
      assert.deepEqual(body, typed({}))
    })
  })

  it("must be true, false, 'coded' or a function, for each parser", () => {
    const message = "option rawBody must be true, false, 'coded' or a function"
    for (const name of Object.keys(TYPES)) {
      for (const rawBody of [1, 0, 'true', '', {}, [], Symbol('true')]) {
        assert.throws(() => make(name, { rawBody }), { name: 'TypeError', message })
      }
    }
  })

  it('is off if it is undefined, null or false, for each parser', async () => {
    for (const [name, body] of parsers) {
      for (const rawBody of [undefined, null, false]) {
        const message = messageOf({ headers: { 'Content-Type': TYPES[name] }, body })
        const { req, error } = await send(make(name, { rawBody }), message)
        assert.deepEqual([error, 'rawBody' in req], ['none', false])
      }
    }
  })

  describe('that is a function', () => {
    const isWebhook = (req) => req.headers['x-path'] === '/webhooks'
    const message = (path, body) => ({ headers: { 'Content-Type': TYPES.json, 'X-Path': path }, body })

    for (const [name, body] of parsers) {
      it(`keeps bytes of ${name} for webhooks alone`, async () => {
        for (const path of ['/webhooks', '/orders']) {
          const headers = { 'Content-Type': TYPES[name], 'X-Path': path }
          for (const [lane, request] of Object.entries(lanesOf({ headers, body }))) {
            const kept = await send(make(name, { rawBody: isWebhook }), request)
            const plain = await send(make(name), request)
            assert.deepEqual([kept.error, kept.body], ['none', plain.body], lane)
            assert.deepEqual(kept.req.rawBody, path === '/webhooks' ? Buffer.from(body) : undefined, lane)
            assert.equal('rawBody' in kept.req, path === '/webhooks', lane)
          }
        }
      })
    }

    it('is called once for each body that is read, with the request, before verify', async () => {
      const calls = []
      const parser = subject.json({
        rawBody: (...args) => calls.push(args),
        verify: (req) => { calls.push(req.rawBody.toString()) }
      })
      const { req } = await send(parser, messageOf(message('/', '[1]')))
      assert.deepEqual(calls, [[req], '[1]'])
      await send(parser, messageOf({ headers: { 'Content-Type': 'a/b' }, body: '[1]' }))
      await send(parser, messageOf({ headers: { 'Content-Type': TYPES.json } }))
      assert.equal(calls.length, 2)
    })

    it('fails the request with what it throws, before verify', async () => {
      const thrown = new TypeError('of the app')
      let error
      const parser = subject.json({ rawBody () { throw thrown }, verify: assert.fail })
      const { req, next } = await send(
        (req, res, next) => parser(req, res, (...args) => { [error] = args; next(...args) }),
        messageOf(message('/', '[1]'))
      )
      assert.deepEqual([error, next, req.body, 'rawBody' in req], [thrown, 1, undefined, false])
    })
  })

  // body-parser ignores the option
  describe('changes nothing else for', () => {
    const json = { 'Content-Type': TYPES.json }
    const row = (it, body, more) => ({
      it,
      parser: 'json',
      headers: json,
      body,
      options: { rawBody: true, ...more?.options },
      ...more?.row
    })
    table([
      row('a body', '{"a":[1]}'),
      row('a chunked body', '{"a":[1]}', { row: { chunked: true } }),
      row('a coded body', zlib.gzipSync('{"a":[1]}'), { row: { headers: { ...json, 'Content-Encoding': 'gzip' } } }),
      row('an error', '{"a":['),
      row('a body over the limit', '{"a":[1]}', {
        options: { rawBody: true, limit: 3 },
        row: { arrivals: ['together'], options: { rawBody: true, limit: 3 } }
      }),
      row('no body', undefined)
    ])
  })
})
