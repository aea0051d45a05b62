'use strict'

// Requests that are not those of Node's own HTTP/1 server: other streams,
// wrapped requests, and what wrappers make up.

const assert = require('node:assert/strict')
const { EventEmitter, once } = require('node:events')
const { PassThrough, Readable } = require('node:stream')
const { setTimeout: delay } = require('node:timers/promises')
const zlib = require('node:zlib')
const theirs = require('body-parser')
const subject = require('fast-body-parser')
const exchange = require('../support/exchange')
const HANG_TIME = require('../support/hang-time')
const { messageOf } = require('../support/lanes')
const { typed } = require('../support/outcome')
const { table } = require('../support/table')

const JSON_TYPE = { 'Content-Type': 'application/json' }
const GZIP = { ...JSON_TYPE, 'Content-Encoding': 'gzip' }

describe('other requests', () => {
  describe('that are not an IncomingMessage', () => {
    const parse = (req, parser = subject.json()) => Promise.race([
      new Promise((resolve) => parser(req, {}, (error) => resolve(error ?? req.body))),
      delay(HANG_TIME, 'hangs', { ref: false })
    ])
    const headers = { 'content-type': 'application/json', 'content-length': '7' }

    it('may hold back the end event of a coded body that is whole', async () => {
      const { body } = await exchange((req, res, next) => {
        const { emit } = req
        req.emit = (name, ...args) => name === 'end' || emit.call(req, name, ...args)
        subject.json()(req, res, next)
      }, messageOf({ headers: GZIP, body: zlib.gzipSync('{"a":1}') }))
      assert.deepEqual(body, typed({ a: 1 }))
    })

    it('may have a Content-Type that is not a string, for a parser of bytes whose type is a function', async () => {
      const req = Object.assign(new PassThrough(), { headers: { 'content-type': ['a/b'], 'content-length': '4' } })
      const parsed = new Promise((resolve) => subject.raw({ type: () => true })(req, {}, resolve))
      req.end('body')
      assert.equal(await parsed, undefined)
      assert.equal(String(req.body), 'body')
    })

    const [early, late] = ['{"a"', ':1}']
    const bytes = new TextEncoder().encode('{"a":1}')
    const emitter = () => Object.assign(new EventEmitter(), { headers })
    const writable = (fields) => Object.assign(new PassThrough(), { headers, ...fields })
    const readable = (...chunks) => Object.assign(Readable.from(chunks), { headers })
    const readBefore = async (fields) => {
      const req = Object.assign(readable(), { headers: { ...headers, ...fields } })
      await once(req.resume(), 'end')
      return req
    }
    const brokenPipe = Object.assign(new Error('broken pipe'), { code: 'EPIPE' })
    const notReadable = { message: 'stream is not readable', status: 500, type: 'stream.not.readable', expose: false }
    const whole = { a: 1 }

    /** [title, what makes the request, what happens after the call of the parser, the body or fields of the error] */
    const rows = [
      ['may be an EventEmitter that emits in the same tick', emitter, (req) => {
        for (const text of [early, late]) req.emit('data', Buffer.from(text))
        req.emit('end')
      }, whole],
      ['may be a Readable of a string', () => readable(early + late), null, whole],
      ['may be a Readable of parts of an array', () => readable(bytes.subarray(0, 3), bytes.subarray(3)), null, whole],
      ['may have their encoding set amid the body', writable, (req) => {
        req.write(early)
        setImmediate(() => req.setEncoding('utf8').end(late))
      }, whole],
      ['may have a field complete that is true',
        () => writable({ complete: true, socket: { readable: true, writable: true } }),
        (req) => req.end(early + late), whole],
      ['are refused if they are complete and their encoding is set', () => {
        const fields = { headers, complete: true, socket: { readable: true } }
        return Object.assign(new Readable({ read () {}, encoding: 'utf8' }), fields)
      }, (req) => req.push(early + late) && req.push(null), { type: 'stream.encoding.set' }],
      ['pass on an error with 400', writable, (req) => setImmediate(() => req.destroy(brokenPipe)),
        { message: 'broken pipe', status: 400, code: 'EPIPE' }],
      ['are aborted if they close before their end', writable, (req) => setImmediate(() => req.destroy()),
        { type: 'request.aborted' }],
      ['are refused if they are shorter than declared', () => readable(Buffer.from('{}')), null, {
        type: 'request.size.invalid',
        message: 'request size did not match content length',
        status: 400,
        received: 2
      }],
      ['are refused if they are longer than declared', () => readable(Buffer.from('{"a":"longer"}')), null,
        { type: 'request.size.invalid', expected: 7, length: 7 }],
      ['are refused with 500 if they were read before', readBefore, null, notReadable],
      ['are refused with 500 if they were read before, with a coded body',
        () => readBefore({ 'content-encoding': 'gzip' }), null, { type: 'stream.not.readable' }]
    ]
    for (const [title, create, act, expected] of rows) {
      it(title, async () => {
        const req = await create()
        const result = parse(req)
        act?.(req)
        const outcome = await result
        if (expected === whole) return assert.deepEqual(outcome, whole)
        for (const [name, value] of Object.entries(expected)) assert.equal(outcome[name], value, name)
      })
    }

    for (const [what, change] of [
      ['is ended', (req) => req.end('{"a":1}')],
      ['is ended, by an older name',
        (req) => Object.defineProperties(req, { writableEnded: { value: undefined }, finished: { value: true } })],
      ['has a closed connection', (req) => { req.socket = { writable: false } }]
    ]) {
      it(`are skipped if their writable side ${what}`, async () => {
        for (const parser of [subject.json(), theirs.json()]) {
          const req = Object.assign(new PassThrough(), { headers })
          change(req)
          assert.deepEqual([await parse(req, parser), req.body], [undefined, undefined])
        }
      })
    }

    it('may be longer than declared if the body is coded', async () => {
      const coded = zlib.gzipSync(JSON.stringify(Array.from({ length: 20_000 }, Math.random)))
      const req = Object.assign(Readable.from([coded]), { headers: { ...headers, 'content-encoding': 'gzip' } })
      assert.equal((await parse(req, subject.json({ limit: '1mb' }))).length, 20_000)
    })
  })

  describe('that are wrapped in a Proxy that binds its methods', () => {
    const wrap = (req) => new Proxy(req, {
      get (target, name) {
        const value = target[name]
        return typeof value === 'function' ? value.bind(target) : value
      }
    })
    const make = (options) => (bodyParser) => {
      const parser = bodyParser.json(options)
      return (req, res, next) => {
        const wrapped = wrap(req)
        parser(wrapped, res, (error) => {
          req.body = wrapped.body
          next(error)
        })
      }
    }
    const row = { make: make(), headers: JSON_TYPE, body: '{"a":1}', expect: { body: { a: 1 } } }
    const gzip = { headers: GZIP, body: zlib.gzipSync('{"a":1}') }
    const over = { make: make({ limit: 3 }), ignore: ['error'], expect: { error: { status: 413 } } }
    table([
      { it: 'are parsed', ...row },
      { it: 'are parsed if coded and in chunks', ...row, ...gzip, chunked: true },
      { it: 'are refused over the limit', ...row, ...over, chunked: true },
      { it: 'are refused over the limit, coded', ...row, ...over, ...gzip }
    ])
  })

  describe('that a package makes', () => {
    const wrappers = {
      async 'light-my-request' (handler, headers, body) {
        const { statusCode, payload } = await require('light-my-request')(handler,
          { method: 'POST', url: '/', headers, payload: body })
        return [statusCode, payload]
      },
      async 'serverless-http' (handler, headers, body) {
        const serve = require('serverless-http')(handler)
        const event = {
          version: '2.0',
          rawPath: '/',
          headers,
          requestContext: { http: { method: 'POST', path: '/', sourceIp: '127.0.0.1' } },
          body: body.toString('base64'),
          isBase64Encoded: true
        }
        const { statusCode, body: answer } = await serve(event, {})
        return [statusCode, answer]
      }
    }
    const json = { 'content-type': 'application/json' }
    const gzip = { ...json, 'content-encoding': 'gzip' }
    const cases = {
      'a body': [json, '{"a":1}', {}, 200],
      'a body without its length': [{ ...json, 'transfer-encoding': 'chunked' }, '{"a":1}', {}, 200],
      'a large coded body': [gzip, zlib.gzipSync(JSON.stringify(Array.from({ length: 20_000 }, Math.random))),
        { limit: '1mb' }, 200],
      'invalid JSON': [json, '{', {}, 400],
      'a body far over the limit': [json, 'x'.repeat(300_000), { drainLimit: 0 }, 413],
      'a wrong length': [{ ...json, 'content-length': '9' }, '{"a":1}', {}, 400]
    }
    for (const [name, send] of Object.entries(wrappers)) {
      for (const [what, [headers, body, options, status]] of Object.entries(cases)) {
        it(`have the same outcome as with body-parser: ${name}, ${what}`, async () => {
          const outcomes = []
          for (const bodyParser of [subject, require('body-parser')]) {
            let calls = 0
            const parser = bodyParser.json(options)
            const handler = (req, res) => parser(req, res, (error) => {
              res.statusCode = error?.status ?? 200
              res.end(JSON.stringify({ calls: ++calls, error, message: error?.message, body: error ? null : req.body }))
            })
            const answer = send(handler, { ...headers }, Buffer.from(body))
            outcomes.push(await Promise.race([answer, delay(HANG_TIME, ['hangs'], { ref: false })]))
          }
          assert.equal(outcomes[0][0], status)
          assert.equal(JSON.parse(outcomes[0][1]).calls, 1)
          assert.deepEqual(outcomes[0], outcomes[1])
        })
      }
    }
  })

  it('may have null for a header field', async () => {
    const parse = (headers, options) => new Promise((resolve) => {
      const req = Object.assign(Readable.from([Buffer.from('{"a":1}')]),
        { headers: { 'content-length': '7', ...headers } })
      subject.json(options)(req, {}, (error) => resolve(error ?? req.body))
    })
    assert.equal(await parse({ 'content-type': null }), undefined)
    assert.deepEqual(await parse({ 'content-type': null }, { type: () => true }), { a: 1 })
    assert.deepEqual(await parse({ 'content-type': 'application/json', 'content-encoding': null }), { a: 1 })
  })
})
