'use strict'

const assert = require('node:assert/strict')
const { IncomingMessage } = require('node:http')
const { Readable } = require('node:stream')
const { setImmediate: turn } = require('node:timers/promises')
const zlib = require('node:zlib')
const getRawBody = require('raw-body')
const serverless = require('serverless-http')
const subject = require('fast-body-parser')
const exchange = require('../support/exchange')
const { messageOf, messagesOf } = require('../support/lanes')
const { table } = require('../support/table')
const { typed } = require('../support/outcome')
const OF_BODY_PARSER = require('../support/types')

const TYPES = { ...OF_BODY_PARSER, custom: 'application/x-ndjson' }
const buffered = { buffered: true }
const parsedByOthers = Object.freeze({ parsed: 'by other code' })

function make (name, options) {
  if (name !== 'custom') return subject[name](options)
  return subject.createParser({ type: TYPES.custom, parse: (text) => text.split('\n').map(JSON.parse), ...options })
}

/** Calls the parser; gives the outcome two turns after next was called. */
function call (parser, req, res = {}) {
  return new Promise((resolve, reject) => {
    const seen = { calls: 0, sync: true, req }
    try {
      parser(req, res, (...args) => {
        if (++seen.calls > 1) return
        Object.assign(seen, { args: args.length, error: args[0], body: req.body, hasBody: 'body' in req })
        turn().then(() => turn()).then(() => resolve(seen), reject)
      })
    } catch (error) {
      reject(error)
    }
    seen.returned = true
    seen.sync = seen.calls > 0
  })
}

// Each gives the parser a request whose body was read before.

/** Over HTTP, read by raw-body; `put` puts the bytes somewhere on the request. */
function overHttp (put) {
  return async (parser, { headers, bytes }) => {
    let seen
    await exchange((req, res, next) => {
      getRawBody(req).then((read) => {
        put(req, read)
        return call(parser, req, res)
      }).then((outcome) => {
        seen = outcome
        next()
      }, next)
    }, messageOf({ headers, body: bytes }))
    return seen
  }
}

const lower = (headers) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

const lambdaEvent = (headers, bytes) => ({
  httpMethod: 'POST',
  path: '/',
  headers,
  multiValueHeaders: {},
  requestContext: {},
  body: bytes.toString('base64'),
  isBase64Encoded: true
})

const hosts = {
  'a Cloud Function': overHttp((req, bytes) => Object.assign(req, { rawBody: bytes, body: parsedByOthers })),
  'a middleware that left a Uint8Array': overHttp((req, bytes) => { // a part of a larger one
    const whole = Uint8Array.from([120, 123, ...bytes, 125, 120])
    req.body = whole.subarray(2, 2 + bytes.length)
  }),
  'a plain object': (parser, { headers, bytes }) =>
    call(parser, { method: 'POST', headers: lower(headers), body: bytes }),
  'a plain object with text': (parser, { headers, bytes }) =>
    call(parser, { method: 'POST', headers: lower(headers), body: String(bytes) }),
  'another readable stream': async (parser, { headers, bytes }) => {
    const req = Object.assign(Readable.from([bytes], { objectMode: false }), {
      headers: { ...lower(headers), 'content-length': String(bytes.length) }
    })
    req.rawBody = await getRawBody(req)
    return call(parser, req)
  },
  'serverless-http': async (parser, { headers, bytes }) => {
    let seen
    const handle = serverless(async (req, res) => {
      for await (const chunk of req) assert.ok(chunk) // its body is there all the same
      seen = await call(parser, req, res)
      res.end()
    })
    await handle(lambdaEvent(headers, bytes), {})
    return seen
  }
}

const bodies = [
  ['json', '{"name":"論","list":[1,2,3]}', { name: '論', list: [1, 2, 3] }],
  ['raw', 'é', Buffer.from('é')],
  ['text', 'été', 'été'],
  ['urlencoded', 'a=1&b=%C3%A9', { a: '1', b: 'é' }],
  ['custom', '{"a":1}\n{"b":[2]}', [{ a: 1 }, { b: [2] }]]
]

const simple = hosts['a Cloud Function']
/** Forms have no prototype. */
const plain = (body) => body && Object.getPrototypeOf(body) === null ? { ...body } : body
const requestOf = (name, text) => ({ headers: { 'Content-Type': TYPES[name] }, bytes: Buffer.from(text) })
const fail = () => { throw new Error('no') }

describe('option buffered', () => {
  for (const [host, run] of Object.entries(hosts)) {
    for (const [name, text, value] of bodies) {
      it(`parses a body for ${name} with ${host}`, async () => {
        const seen = await run(make(name, buffered), requestOf(name, text))
        assert.deepEqual([seen.calls, seen.args, seen.sync, seen.error], [1, 0, false, undefined])
        assert.deepEqual(plain(seen.body), value)
      })
    }
  }

  for (const host of ['a Cloud Function', 'a plain object with text']) {
    describe(`with ${host}`, () => {
      const { [host]: run } = hosts
      const text = '{"name":"論"}'
      const request = requestOf('json', text)

      it('verifies a body, and keeps it as rawBody', async () => {
        for (const isAsync of [false, true]) {
          const verified = []
          const verify = (req, res, bytes, charset) => {
            verified.push(Buffer.isBuffer(bytes), String(bytes), charset, req.rawBody === bytes)
            return isAsync ? turn() : undefined
          }
          const seen = await run(subject.json({ ...buffered, verify, rawBody: true }), request)
          assert.deepEqual(verified, [true, text, 'utf-8', true])
          assert.deepEqual([seen.calls, seen.sync, seen.error], [1, false, undefined])
          assert.equal(String(seen.req.rawBody), text)
        }
      })

      it('reports that verify refuses a body', async () => {
        for (const verify of [fail, async () => fail()]) {
          const { calls, sync, error } = await run(subject.json({ ...buffered, verify }), request)
          assert.deepEqual([calls, sync, error.status, String(error.body)], [1, false, 403, text])
        }
      })

      it('holds the bytes of a body against the limit', async () => {
        const { length } = request.bytes // not of characters
        assert.equal((await run(subject.json({ ...buffered, limit: length }), request)).error, undefined)
        const { calls, sync, error } = await run(subject.json({ ...buffered, limit: length - 1 }), request)
        assert.deepEqual([calls, sync, error.status, error.received], [1, false, 413, length])
      })

      it('leaves a body alone that is of another type', async () => {
        const parser = subject.json(buffered)
        let before
        const seen = await run((req, res, next) => {
          before = req.body
          parser(req, res, next)
        }, { ...request, headers: { 'Content-Type': 'a/b' } })
        assert.deepEqual([seen.calls, seen.error, seen.hasBody], [1, undefined, true])
        assert.equal(seen.body, before)
      })

      it('parses a body once for two parsers', async () => {
        let times = 0
        const verify = () => { times++ }
        const [first, second] = [undefined, () => true].map((type) => subject.json({ ...buffered, verify, type }))
        const seen = await run((req, res, next) => first(req, res, () => {
          const { body } = req
          second(req, res, (error) => {
            assert.equal(req.body, body)
            next(error)
          })
        }), request)
        assert.deepEqual([times, seen.calls, seen.error], [1, 1, undefined])
      })

      it('reports a syntax error with 400', async () => {
        const { calls, sync, error } = await run(subject.json(buffered), requestOf('json', '{"a":'))
        assert.deepEqual([calls, sync, error.status, error.body], [1, false, 400, '{"a":'])
      })
    })
  }

  describe('treats content that was read before', () => {
    const as = (type) => ({ 'content-type': type })
    const latin1 = `${TYPES.urlencoded}; charset=iso-8859-1`
    const latin1Form = Buffer.from('a=é&b=%E9', 'latin1')
    const [form, custom] = [{ a: 'é', b: 'é' }, { type: 'a/b', charset: false, parse: (bytes) => [bytes] }]
    // [what, parser, options, type, fields of the request, body or status]
    const rows = [
      ['by a type that is a function', 'json', { type: ({ url }) => url === '/' }, 'a/b', { rawBody: '{}', url: '/' },
        {}],
      ['by a function that does not take it', 'json', { type: () => false }, TYPES.json, { body: '{}' }, '{}'],
      ['as bytes in ISO-8859-1', 'urlencoded', {}, latin1, { rawBody: latin1Form }, form],
      ['as text that is decoded, whatever the charset of a form', 'urlencoded', {}, latin1, { body: 'a=é&b=%E9' },
        form],
      ['as text that is decoded, whatever the charset', 'text', {}, 'text/plain; charset=shift_jis', { body: '論' },
        '論'],
      ['as UTF-8 if it is text and raw takes bytes', 'raw', {}, TYPES.raw, { body: 'é' }, Buffer.from('é')],
      ['as UTF-8 if it is text and createParser takes bytes', 'createParser', custom, 'a/b', { body: 'é' },
        [Buffer.from('é')]],
      ['with 415 for a charset that JSON may not have', 'json', {}, `${TYPES.json}; charset=latin1`,
        { rawBody: Buffer.from('{}') }, 415],
      ...[{}, { verify () {} }].flatMap((options) => ['x', Buffer.from('x')].map((rawBody) =>
        ['with 415 for an unknown charset', 'text', options, 'text/plain; charset=bogus', { rawBody }, 415])),
      ...['', Buffer.alloc(0), new Uint8Array(0)].flatMap((nothing) => [
        ['as an empty body if it is empty', 'json', {}, TYPES.json, { rawBody: nothing }, {}],
        ['as an empty text if it is empty', 'text', {}, TYPES.text, { body: nothing }, '']
      ]),
      ['preferring req.rawBody', 'json', {}, TYPES.json, { rawBody: '{"a":1}', body: '{"a":2}' }, { a: 1 }],
      ['preferring req.rawBody that is empty', 'json', {}, TYPES.json, { rawBody: '', body: '{"a":2}' }, {}],
      ...[null, [1]].map((rawBody) =>
        ['from req.body if req.rawBody is neither bytes nor text', 'json', {}, TYPES.json, { rawBody, body: '{"a":2}' },
          { a: 2 }])
    ]
    for (const [what, name, options, type, fields, expected] of rows) {
      it(what, async () => {
        const parser = subject[name]({ ...buffered, ...options })
        const { body, calls, error, hasBody } = await call(parser, { headers: as(type), ...fields })
        assert.deepEqual([calls, hasBody], [1, true])
        if (Number.isInteger(expected) && expected > 99) assert.equal(error.status, expected)
        else assert.deepEqual([error, plain(body)], [undefined, expected])
      })
    }

    it('as decoded, whatever Content-Encoding says', async () => {
      const headers = { ...as(TYPES.json), 'content-encoding': 'gzip' }
      assert.deepEqual((await call(subject.json(buffered), { headers, rawBody: '{"a":1}' })).body, { a: 1 })
    })

    it('without copying the bytes', async () => {
      const rawBody = Uint8Array.of(120, 123, 125).subarray(1)
      const { req } = await call(subject.json({ ...buffered, rawBody: true }), { headers: as(TYPES.json), rawBody })
      assert.ok(Buffer.isBuffer(req.rawBody))
      assert.deepEqual([req.rawBody.buffer, req.rawBody.byteOffset, req.rawBody.length], [rawBody.buffer, 1, 2])
    })

    it('of a complete request whose connection is a stand-in', async () => {
      const req = new IncomingMessage({ readable: false })
      const headers = { ...as(TYPES.json), 'content-length': '7' }
      Object.assign(req, { complete: true, headers, body: Buffer.from('{"a":1}') })
      assert.equal(req.readable, true)
      assert.ok(Buffer.isBuffer((await call(subject.json(), req)).body)) // body-parser, too, takes it to be read
      const seen = await call(subject.json(buffered), req)
      assert.deepEqual([seen.calls, seen.error, seen.body], [1, undefined, { a: 1 }])
    })
  })

  describe('leaves req.body alone', () => {
    const parsers = Object.keys(TYPES)

    it('if it is an object that other code has parsed, without bytes', async () => {
      for (const name of parsers) {
        const headers = { 'content-type': TYPES[name], 'content-length': '9' }
        for (const body of [parsedByOthers, [1], 5, true, null]) {
          const seen = await call(make(name, buffered), { headers, body })
          assert.deepEqual([seen.calls, seen.error, seen.body], [1, undefined, body])
        }
        const none = await call(make(name, buffered), { headers })
        assert.deepEqual([none.calls, none.error, none.hasBody, none.body], [1, undefined, true, undefined])
        const http = await overHttp((req) => { req.body = parsedByOthers })(make(name, buffered),
          { headers: { 'Content-Type': TYPES[name] }, bytes: Buffer.from('{}') })
        assert.deepEqual([http.calls, http.error, http.body], [1, undefined, parsedByOthers])
      }
    })

    it('if a parser with the option has refused the content before', async () => {
      const [strict, second] = [
        subject.json({ ...buffered, verify: fail }),
        subject.text({ ...buffered, type: () => true })
      ]
      const seen = await simple((req, res, next) => strict(req, res, (error) => {
        assert.equal(error.status, 403)
        second(req, res, next)
      }), requestOf('json', '{}'))
      assert.deepEqual([seen.calls, seen.error, seen.body], [1, undefined, parsedByOthers])
    })

    it('if a parser with the option has made it, even if it is text', async () => {
      const [first, second] = [1, 2].map(() => subject.json({ ...buffered, strict: false }))
      const both = (req, res, next) => first(req, res, () => second(req, res, next))
      const seen = await exchange(both, messageOf({ headers: { 'Content-Type': TYPES.json }, body: '"\\"a\\""' }))
      assert.deepEqual([seen.next, seen.error, seen.body], [1, 'none', typed('"a"')])
    })
  })

  describe('reads a request that nothing has read', () => {
    it('of serverless-http, although req.body holds its bytes', async () => {
      const reads = []
      for (const body of ['{"a":1}', '']) {
        let seen
        const handle = serverless(async (req, res) => {
          seen = await call(subject.json(buffered), req, res)
          reads.push(req.readableEnded)
          res.end()
        })
        await handle(lambdaEvent({ 'Content-Type': TYPES.json }, Buffer.from(body)), {})
        assert.deepEqual([seen.calls, seen.error, seen.body], [1, undefined, body === '' ? {} : { a: 1 }])
      }
      assert.equal(reads[0], true)
    })

    it('whatever req.rawBody and req.body hold', async () => {
      for (const message of Object.values(messagesOf({ headers: { 'Content-Type': TYPES.json }, body: '{"a":1}' }))) {
        let body
        const seen = await exchange((req, res, next) => {
          Object.assign(req, { rawBody: '{"a":2}', body: '{"a":3}' })
          subject.json(buffered)(req, res, (error) => {
            body = req.body
            next(error)
          })
        }, message)
        assert.deepEqual([seen.next, seen.error, body], [1, 'none', { a: 1 }])
      }
    })
  })

  it('is not for a body whose digest is asked for, as other code may have decoded it', () =>
    assert.throws(() => subject.json({ buffered: true, contentDigest: 'check' }),
      { name: 'TypeError', message: 'option buffered cannot be combined with contentDigest' }))

  it('must be true or false', () => {
    for (const value of [1, 0, 'true', '', {}, [], Buffer.alloc(1)]) {
      assert.throws(() => subject.json({ buffered: value }),
        { name: 'TypeError', message: 'option buffered must be true or false' })
    }
  })

  it('is off by default, and leaves content alone that was read before', async () => {
    for (const value of [undefined, null, false]) {
      const { calls, error, body } = await simple(subject.json({ buffered: value }), requestOf('json', '{}'))
      assert.deepEqual([calls, error, body], [1, undefined, parsedByOthers])
    }
  })

  // body-parser ignores the option
  describe('changes nothing for a request that was not read before, with', () => {
    const headers = { 'Content-Type': TYPES.json }
    const row = (it, body, more) => ({ it, parser: 'json', headers, body, options: buffered, ...more })
    table([
      row('a body', '{"a":[1]}', { expect: { body: { a: [1] } } }),
      row('a coded body', zlib.gzipSync('{"a":[1]}'), { headers: { ...headers, 'Content-Encoding': 'gzip' } }),
      row('an error', '{"a":['),
      row('no body', undefined)
    ])
  })
})
