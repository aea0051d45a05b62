'use strict'

const assert = require('node:assert/strict')
const zlib = require('node:zlib')
const subject = require('fast-body-parser')
const { CODERS } = require('../../support/coders')
const exchange = require('../../support/exchange')
const { lanesOf, messageOf, messagesOf } = require('../../support/lanes')
const TYPES = require('../../support/types')

/** Sends the message; gives the outcome, but for what depends on how fast zlib's thread is, with the request itself. */
async function send (parser, message) {
  let req
  const { complete, ended, ...seen } = await exchange((request, res, next) => {
    req = request
    parser(request, res, next)
  }, message)
  return { req, seen }
}

const BODIES = {
  json: '{"name":"論","list":[1,2,3]}',
  raw: Buffer.from([0, 1, 254, 255, 10, 13]),
  text: 'été',
  urlencoded: 'a=1&b=%C3%A9'
}
const JSON_TYPE = { 'Content-Type': TYPES.json }
const GZIP = { ...JSON_TYPE, 'Content-Encoding': 'gzip' }

/** The ways in which one body arrives: all of them to json, three to the others. */
function someLanes (name, lanes) {
  const some = ['declared, halves', 'gzip declared, together', 'gzip chunked, halves']
  return Object.entries(lanes).filter(([lane]) => name === 'json' || some.includes(lane))
}

/** Checks what is kept of each request: [what, request, options, bytes or null, [status, type] of an error]. */
function testRows (rows) {
  for (const [what, request, options, kept, [status, type] = []] of rows) {
    it(`keeps ${kept === null ? 'nothing' : 'the bytes'} of ${what}`, async () => {
      const { req, seen: { error, next, reusable } } = await send(subject.json(options), messageOf(request))
      assert.deepEqual([error.status, error.type, next, reusable], [status, type, 1, request.cut ? undefined : true])
      assert.deepEqual(req.rawBody, kept === null ? undefined : Buffer.from(kept))
      assert.deepEqual(['rawBody' in req, 'body' in req], [kept !== null, true])
    })
  }
}

describe('option rawBody', () => {
  for (const [name, body] of Object.entries(BODIES)) {
    for (const [lane, message] of someLanes(name, lanesOf({ headers: { 'Content-Type': TYPES[name] }, body }))) {
      it(`keeps the bytes of a body, before verify is called, and changes nothing else: ${name}, ${lane}`, async () => {
        const { req: plain, seen: expected } = await send(subject[name](), message)
        assert.deepEqual([expected.error, 'rawBody' in plain], ['none', false])
        const bytes = Buffer.from(body)
        for (const result of [undefined, new Promise(setImmediate)]) {
          const calls = []
          const verify = (req, res, buf) => {
            calls.push([req.rawBody === buf, buf.equals(bytes), req.body])
            return result
          }
          const { req, seen } = await send(subject[name]({ rawBody: true, verify }), message)
          assert.deepEqual([calls, req.rawBody, seen], [[[true, true, undefined]], bytes, expected])
        }
      })
    }
  }

  const verify = () => { throw new Error('no') }
  const utf16 = Buffer.from('{}', 'utf16le')
  testRows([
    ['an empty body', { headers: JSON_TYPE, body: '' }, {}, ''],
    ['no body', { headers: JSON_TYPE }, {}, null],
    ['a body of another type', { headers: { 'Content-Type': 'a/b' }, body: '{}' }, {}, null],
    ['a syntax error', { headers: JSON_TYPE, body: '{"a":' }, {}, '{"a":', [400, 'entity.parse.failed']],
    ['a body that verify refuses', { headers: JSON_TYPE, body: '{}' }, { verify }, '{}', [403, 'entity.verify.failed']],
    ['utf-16', { headers: { 'Content-Type': 'application/json; charset=utf-16le' }, body: utf16 }, {}, utf16],
    ['a body that is parsed in slices', { headers: JSON_TYPE, body: '[1]' }, { cooperative: { threshold: 1 } }, '[1]'],
    ['a chunked body over the limit', { headers: JSON_TYPE, body: '{"a":1}', chunked: true }, { limit: 5 }, null,
      [413, 'entity.too.large']],
    ['a corrupt coded body', { headers: GZIP, body: 'junk' }, {}, null, [400, undefined]]
  ].map(([what, request, options, ...rest]) => [what, request, { rawBody: true, ...options }, ...rest]))

  it('keeps nothing if req.rawBody cannot be set, and calls next once', async () => {
    const parser = subject.json({ rawBody: true })
    const { req, seen } = await send(
      (req, res, next) => parser(Object.defineProperty(req, 'rawBody', { get () {} }), res, next),
      messageOf({ headers: JSON_TYPE, body: '{}' })
    )
    assert.deepEqual([seen.error.type, seen.next, req.body], ['entity.parse.failed', 1, undefined])
  })

  it('keeps the same Buffer as req.body for raw()', async () => {
    const message = messageOf({ headers: { 'Content-Type': TYPES.raw }, body: 'x' })
    const { req } = await send(subject.raw({ rawBody: true }), message)
    assert.equal(req.rawBody, req.body)
  })

  it("must be true, false, 'coded' or a function, and is off if it is false or missing", async () => {
    const message = "option rawBody must be true, false, 'coded' or a function"
    for (const rawBody of [1, 0, 'true', '', {}, [], Symbol('true')]) {
      assert.throws(() => subject.json({ rawBody }), { name: 'TypeError', message })
    }
    for (const rawBody of [undefined, null, false]) {
      const { req, seen } = await send(subject.json({ rawBody }), messageOf({ headers: JSON_TYPE, body: '{}' }))
      assert.deepEqual([seen.error, 'rawBody' in req], ['none', false])
    }
  })

  describe('that is a function', () => {
    it('keeps bytes for webhooks alone, whichever lane they arrive in', async () => {
      const parser = subject.json({ rawBody: (req) => req.headers['x-path'] === '/webhooks' })
      for (const [path, kept] of [['/webhooks', Buffer.from('{}')], ['/orders', undefined]]) {
        const headers = { ...JSON_TYPE, 'X-Path': path }
        for (const [lane, message] of someLanes('each', lanesOf({ headers, body: '{}' }))) {
          const { req, seen } = await send(parser, message)
          assert.deepEqual([seen.error, req.rawBody, 'rawBody' in req], ['none', kept, kept !== undefined], lane)
        }
      }
    })

    it('is called once for each body that is read, with the request, before verify', async () => {
      const calls = []
      const parser = subject.json({
        rawBody: (...args) => calls.push(args),
        verify: (req) => { calls.push(req.rawBody.toString()) }
      })
      const { req } = await send(parser, messageOf({ headers: JSON_TYPE, body: '[1]' }))
      assert.deepEqual(calls, [[req], '[1]'])
      await send(parser, messageOf({ headers: { 'Content-Type': 'a/b' }, body: '[1]' }))
      await send(parser, messageOf({ headers: JSON_TYPE }))
      assert.equal(calls.length, 2)
    })

    it('fails the request with what it throws, before verify', async () => {
      const parser = subject.json({ rawBody () { throw new TypeError('of the app') }, verify: assert.fail })
      const { req, seen } = await send(parser, messageOf({ headers: JSON_TYPE, body: '[1]' }))
      assert.deepEqual([seen.error.constructor, seen.error.message, seen.next, req.body, 'rawBody' in req],
        ['TypeError', 'of the app', 1, undefined, false])
    })
  })
})

describe("rawBody: 'coded'", () => {
  for (const [coding, code] of Object.entries({ identity: Buffer.from, ...CODERS })) {
    it(`is the ${coding} body as it was sent, however it arrives`, async () => {
      const body = code('["é",1]')
      const headers = { ...JSON_TYPE, 'Content-Encoding': coding }
      for (const [way, message] of Object.entries(messagesOf({ headers, body }))) {
        const { req, seen } = await send(subject.json({ rawBody: 'coded' }), message)
        const { seen: without } = await send(subject.json(), message)
        assert.ok(req.rawBody.equals(body), way)
        assert.deepEqual([seen, seen.error], [without, 'none'], way)
      }
    })
  }

  it('is there before verify and parse, which get what was decompressed', async () => {
    const body = zlib.gzipSync('{}')
    const seen = []
    const verify = (req, res, bytes) => seen.push(['verify', req.rawBody.equals(body), String(bytes)])
    const parse = (text, { req }) => seen.push(['parse', req.rawBody.equals(body), text])
    await send(subject.json({ rawBody: 'coded', verify, parse }), messageOf({ headers: GZIP, body }))
    assert.deepEqual(seen, [['verify', true, '{}'], ['parse', true, '{}']])
  })

  const bomb = zlib.gzipSync('"'.repeat(5000))
  const members = Buffer.concat(Array(60).fill(zlib.gzipSync('')))
  const limit = 1000
  testRows([
    ['a corrupt body', { body: 'junk' }, {}, 'junk', [400, undefined]],
    ['an empty body', { body: '' }, {}, '', [400, undefined]],
    ['a body over the limit when it is decompressed', { body: bomb }, { limit }, bomb, [413, 'entity.too.large']],
    ['a body over the limit before that', { body: members }, { limit }, null, [413, 'entity.too.large']],
    ['an unknown charset', { headers: { 'Content-Type': 'application/json; charset=utf-x' }, body: 'x' }, {}, null,
      [415, 'charset.unsupported']]
  ].map(([what, { headers, ...request }, options, ...rest]) =>
    [what, { ...request, headers: { ...GZIP, ...headers } }, { rawBody: 'coded', ...options }, ...rest]))

  it('reports a setter of the app that throws', async () => {
    const parser = subject.json({ rawBody: 'coded' })
    for (const [headers, body] of [[GZIP, zlib.gzipSync('{}')], [JSON_TYPE, '{}']]) {
      const { error } = await exchange((req, res, next) => {
        Object.defineProperty(req, 'rawBody', { get () {}, set () { throw new Error('mine') } })
        parser(req, res, next)
      }, messageOf({ headers, body }))
      assert.deepEqual([error.message, error.status], ['mine', 400])
    }
  })

  it('excludes buffered and inflate: false', () => {
    assert.throws(() => subject.json({ rawBody: 'coded', buffered: true }),
      { name: 'TypeError', message: "option buffered cannot be combined with rawBody: 'coded'" })
    assert.throws(() => subject.json({ rawBody: 'coded', inflate: false }),
      { name: 'TypeError', message: "option rawBody: 'coded' cannot be combined with inflate: false" })
  })
})
