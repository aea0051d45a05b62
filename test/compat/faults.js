'use strict'

const assert = require('node:assert/strict')
const { EventEmitter, once } = require('node:events')
const http = require('node:http')
const net = require('node:net')
const { PassThrough, Readable } = require('node:stream')
const { setTimeout: delay } = require('node:timers/promises')
const zlib = require('node:zlib')
const subject = require('fast-body-parser')
const { asChunk, LAST_CHUNK } = require('../support/chunk')
const { table } = require('../support/table')
const untilRead = require('../support/until-read')

const JSON_TYPE = { 'Content-Type': 'application/json' }
const aborted = { message: 'request aborted', status: 400, code: 'ECONNABORTED', type: 'request.aborted', constructor: 'BadRequestError' }

describe('faults', () => {
  describe('a client that goes away', () => {
    const cut = { parser: 'json', headers: JSON_TYPE, body: '{"a":', cut: true }
    table([
      { it: 'amid a body of declared length', ...cut, length: 30, arrivals: ['together', 'afterwards', 'bytes'], expect: { error: { ...aborted, expected: 30, length: 30, received: 5 } } },
      { it: 'before the body', ...cut, body: '', length: 30, expect: { error: { ...aborted, expected: 30, received: 0 } } },
      { it: 'amid a chunked body', ...cut, chunked: true, arrivals: ['together', 'afterwards', 'bytes'], expect: { error: { ...aborted, expected: null, length: null, received: 5 } } },
      { it: 'amid a body over the limit', ...cut, options: { limit: 3 }, length: 30, expect: { error: { status: 413 } } },
      { it: 'amid a chunked body over the limit', ...cut, options: { limit: 3 }, chunked: true, ignore: ['error'], expect: { error: { status: 413 } } }
    ])
  })

  // body-parser never calls next here
  describe('a client that goes away amid a coded body', () => {
    const coded = zlib.gzipSync(JSON.stringify(Array.from({ length: 50_000 }, Math.random)))
    for (const [what, length] of [['a small one', 1000], ['a large one', 10_000_000], ['a chunked one', null]]) {
      it(what, async () => {
        const { error, calls } = await abort(subject.json({ limit: '10mb' }), {
          ...JSON_TYPE,
          'Content-Encoding': 'gzip',
          ...(length === null ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': length })
        }, length === null ? asChunk(coded.subarray(0, 500)) : coded.subarray(0, 500))
        assert.equal(calls, 1)
        assert.equal(error.message, 'request aborted')
        assert.equal(error.type, 'request.aborted')
        assert.equal(error.received, 500)
        assert.equal(error.length, null)
      })
    }
  })

  /** Sends a part of a request and breaks the connection. */
  async function abort (parser, headers, part) {
    let calls = 0
    const seen = new Promise((resolve) => {
      const server = http.createServer((req, res) => parser(req, res, (error) => {
        calls++
        server.close()
        setTimeout(() => resolve({ error, calls }), 20)
      }))
      server.listen(0, '127.0.0.1', async () => {
        const socket = net.connect(server.address().port, '127.0.0.1').on('error', () => {})
        const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join('')
        socket.write(Buffer.concat([Buffer.from(`POST / HTTP/1.1\r\nHost: test\r\n${lines}\r\n`), part]))
        const [req] = await once(server, 'request')
        await untilRead(req.socket, socket)
        socket.destroy()
      })
    })
    return Promise.race([seen, delay(1500, { error: 'none: hangs', calls }, { ref: false })])
  }

  describe('a request that user code destroys', () => {
    const destroyers = {
      'right after the parser': (req) => req.destroy(),
      'right after the parser, with an error': (req) => req.destroy(new Error('gone')),
      'in the next tick': (req) => process.nextTick(() => req.destroy()),
      'in the next tick, with an error': (req) => process.nextTick(() => req.destroy(new Error('gone'))),
      'later on': (req) => setTimeout(() => req.destroy(), 10),
      'later on, with an error': (req) => setTimeout(() => req.destroy(new Error('gone')), 10)
    }
    for (const [when, destroy] of Object.entries(destroyers)) {
      for (const length of [2, 20]) {
        it(`${when}, ${length === 2 ? 'the body being whole' : 'amid the body'}`, async () => {
          const results = []
          let socket
          await new Promise((resolve) => {
            const server = http.createServer((req, res) => {
              subject.json()(req, res, (error) => {
                results.push(error?.type ?? typeof req.body)
                server.close()
                setTimeout(resolve, 20)
              })
              destroy(req)
            })
            server.listen(0, '127.0.0.1', () => {
              socket = net.connect(server.address().port, '127.0.0.1').on('error', () => {})
              socket.write(`POST / HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n{}`)
            })
            setTimeout(resolve, 1500).unref()
          })
          socket.destroy()
          assert.equal(results.length, 1)
          assert.ok(['request.aborted', 'object'].includes(results[0]), results[0])
        })
      }
    }
  })

  describe('a request that user code destroys while it is parsed', () => {
    const destroy = (req) => { req.destroy() }
    const stages = {
      'in verify': [(bodyParser) => bodyParser.json({ verify: destroy }), { body: { a: 1 } }],
      'in a verify that throws': [(bodyParser) => bodyParser.json({
        verify (req) {
          req.destroy()
          throw new Error('no')
        }
      }), { error: { status: 403 } }],
      'in the reviver': [(bodyParser) => (req, res, next) => bodyParser.json({
        reviver (key, value) {
          req.destroy()
          return value
        }
      })(req, res, next), { body: { a: 1 } }],
      'in next': [(bodyParser) => (req, res, next) => bodyParser.json()(req, res, (error) => {
        req.destroy()
        next(error)
      }), { body: { a: 1 } }],
      'in next, with an error': [(bodyParser) => (req, res, next) => bodyParser.json({ limit: 6 })(req, res, (error) => {
        req.destroy()
        next(error)
      }), { error: { status: 413 } }]
    }
    for (const [when, [make, expect]] of Object.entries(stages)) {
      const row = { make, headers: JSON_TYPE, body: '{"a":1}', expect, ignore: ['reusable', 'listeners', 'complete', 'ended', 'error'] }
      const coded = { ...row, headers: { ...JSON_TYPE, 'Content-Encoding': 'gzip' }, body: zlib.gzipSync('{"a":1}') }
      table([
        { it: when, ...row },
        { it: `${when}, in chunks`, ...row, chunked: true },
        { it: `${when}, the body being coded`, ...coded },
        { it: `${when}, the body being coded and in chunks`, ...coded, chunked: true }
      ])
    }

    // body-parser never calls next if the body is coded
    for (const headers of [JSON_TYPE, { ...JSON_TYPE, 'Content-Encoding': 'gzip' }]) {
      it(`in type${headers === JSON_TYPE ? '' : ', the body being coded'}`, async () => {
        for (const verdict of [true, false]) {
          const parser = subject.json({
            type (req) {
              req.destroy()
              return verdict
            }
          })
          const { error, calls } = await abort(parser, { ...headers, 'Content-Length': 7 }, Buffer.from('{"a":1}'))
          assert.deepEqual([calls, error?.type], [1, verdict ? 'stream.not.readable' : undefined])
        }
      })
    }

    it('before a promise of verify is fulfilled', async () => {
      for (const fulfil of [true, false]) {
        const parser = subject.json({
          async verify (req) {
            await delay(2)
            req.destroy()
            await delay(2)
            if (!fulfil) throw new Error('no')
          }
        })
        const { error, calls } = await abort(parser, { ...JSON_TYPE, 'Content-Length': 7 }, Buffer.from('{"a":1}'))
        assert.deepEqual([calls, error?.type], [1, fulfil ? undefined : 'entity.verify.failed'])
      }
    })
  })

  describe('user code that throws', () => {
    const fail = () => { throw new Error('from user code') }
    const body = '{"a":1}'
    table([
      { it: 'in type', parser: 'json', options: { type: fail }, headers: JSON_TYPE, body },
      { it: 'in type, without a body', parser: 'json', options: { type: fail }, expect: { body: undefined } },
      { it: 'in verify', parser: 'json', options: { verify: fail }, headers: JSON_TYPE, body, expect: { error: { status: 403, message: 'from user code' } } },
      { it: 'in verify, the body being coded', parser: 'json', options: { verify: fail }, headers: { ...JSON_TYPE, 'Content-Encoding': 'gzip' }, body: zlib.gzipSync(body), expect: { error: { status: 403 } } },
      { it: 'in the reviver', parser: 'json', options: { reviver: fail }, headers: JSON_TYPE, body, expect: { error: { status: 400, message: 'from user code' } } }
    ])

    /** Answers each request by throwing in `next`; gives what was thrown. */
    async function thrownBy (bodyParser, options, { headers, body, chunked }) {
      const listeners = process.listeners('uncaughtException')
      process.removeAllListeners('uncaughtException')
      const thrown = []
      process.on('uncaughtException', (error) => thrown.push(error.message))
      const parser = bodyParser.json(options)
      const server = http.createServer((req, res) => {
        let calls = 0
        try {
          parser(req, res, (error) => {
            res.end()
            throw new Error(`from next ${++calls}, ${error?.type ?? JSON.stringify(req.body)}`)
          })
        } catch (error) {
          thrown.push(`at once: ${error.message}`)
        }
      })
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      await Promise.all(Array.from({ length: 5 }, async (_, index) => {
        const req = http.request({ port: server.address().port, host: '127.0.0.1', method: 'POST', headers: { ...headers, ...(chunked ? {} : { 'Content-Length': body.length }) } })
        const responded = once(req, 'response')
        req.flushHeaders()
        if (index > 2) await delay(5)
        req.end(body)
        const [res] = await responded
        await res.toArray()
      }))
      await delay(10)
      server.close()
      server.closeAllConnections()
      process.removeAllListeners('uncaughtException')
      for (const listener of listeners) process.on('uncaughtException', listener)
      return thrown
    }

    const gzip = { ...JSON_TYPE, 'Content-Encoding': 'gzip' }
    const cases = {
      'a body': [{}, { headers: JSON_TYPE, body }],
      'a body in chunks': [{}, { headers: JSON_TYPE, body, chunked: true }],
      'a body of another type': [{}, { headers: {}, body }],
      'a coded body': [{}, { headers: gzip, body: zlib.gzipSync(body) }],
      'a coded body in chunks': [{}, { headers: gzip, body: zlib.gzipSync(body), chunked: true }],
      'an error of JSON': [{}, { headers: JSON_TYPE, body: '{' }],
      'an error of verify': [{ verify: fail }, { headers: JSON_TYPE, body }],
      'a body over the limit': [{ limit: 1 }, { headers: JSON_TYPE, body }],
      'a body over the limit in chunks': [{ limit: 1 }, { headers: JSON_TYPE, body, chunked: true }],
      'a coded body over the limit': [{ limit: 1 }, { headers: gzip, body: zlib.gzipSync(body) }],
      'a corrupt coded body': [{}, { headers: gzip, body: 'junk' }],
      'a refused coding': [{}, { headers: { ...JSON_TYPE, 'Content-Encoding': 'x' }, body }]
    }
    for (const [what, [options, message]] of Object.entries(cases)) {
      it(`in next, after ${what}`, async () => {
        const ours = await thrownBy(subject, options, message)
        assert.equal(ours.length, 5)
        for (const text of ours) assert.match(text, /^(at once: )?from next 1, /)
        assert.deepEqual(ours, await thrownBy(require('body-parser'), options, message))
      })
    }
  })

  describe('a request of which somebody else has read', () => {
    const after = (read) => (bodyParser) => (req, res, next) => read(req, () => bodyParser.json()(req, res, next))
    const first = after((req, go) => req.once('data', () => {
      req.pause()
      setImmediate(() => {
        req.resume()
        go()
      })
    }))
    const some = after((req, go) => req.once('readable', () => {
      req.read(3)
      go()
    }))
    const message = { headers: JSON_TYPE, body: '{"a":1}', arrivals: ['halves'], ignore: ['complete', 'ended', 'error'] }
    table([
      { it: 'the first piece', make: first, ...message, expect: { error: { type: 'request.size.invalid', status: 400 } } },
      { it: 'the first piece, in chunks', make: first, ...message, chunked: true, expect: { error: { type: 'entity.parse.failed', status: 400 } } },
      { it: 'the first bytes', make: some, ...message, arrivals: ['afterwards'], expect: { error: { type: 'request.size.invalid', received: 4 } } },
      { it: 'everything, without its end', make: after((req, go) => req.once('data', go)), ...message, arrivals: ['afterwards'] }
    ])
  })

  describe('a request that is no IncomingMessage', () => {
    const parse = (req, parser = subject.json()) => Promise.race([
      new Promise((resolve) => parser(req, {}, (error) => resolve(error ?? req.body))),
      delay(1000, 'hangs', { ref: false })
    ])
    const headers = { 'content-type': 'application/json', 'content-length': '7' }

    it('may be an EventEmitter that emits at once', async () => {
      const req = Object.assign(new EventEmitter(), { headers })
      const result = parse(req)
      req.emit('data', Buffer.from('{"a":'))
      req.emit('data', Buffer.from('1}'))
      req.emit('end')
      assert.deepEqual(await result, { a: 1 })
    })

    it('may be any Readable', async () => {
      const req = Object.assign(Readable.from([Buffer.from('{"a"'), Buffer.from(':1}')]), { headers })
      assert.deepEqual(await parse(req), { a: 1 })
    })

    it('may be a Readable of strings', async () => {
      for (const parts of [['{"a":1}'], ['{"a"', ':1}']]) {
        const req = Object.assign(Readable.from(parts), { headers })
        assert.deepEqual(await parse(req), { a: 1 })
      }
    })

    it('may be a Readable of plain arrays of bytes', async () => {
      const bytes = new TextEncoder().encode('  {"a":1}  ')
      for (const parts of [[bytes.subarray(2, 9)], [bytes.subarray(2, 5), bytes.subarray(5, 9)]]) {
        const req = Object.assign(Readable.from(parts), { headers })
        assert.deepEqual(await parse(req), { a: 1 })
      }
    })

    it('may have its encoding set amid the body', async () => {
      const req = Object.assign(new PassThrough(), { headers })
      const result = parse(req)
      req.write('{"a"')
      setImmediate(() => {
        req.setEncoding('utf8')
        req.end(':1}')
      })
      assert.deepEqual(await result, { a: 1 })
    })

    it('may say that it is complete', async () => {
      const req = Object.assign(new PassThrough(), { headers, complete: true, socket: { readable: true } })
      const result = parse(req)
      req.end('{"a":1}')
      assert.deepEqual(await result, { a: 1 })
    })

    it('may be a request of strings that says it is complete', async () => {
      const req = Object.assign(new Readable({ read () {}, encoding: 'utf8' }), { headers, complete: true, socket: { readable: true } })
      const result = parse(req)
      req.push('{"a":1}')
      req.push(null)
      assert.equal((await result).type, 'stream.encoding.set')
    })

    it('may fail', async () => {
      const req = Object.assign(new PassThrough(), { headers })
      const result = parse(req)
      setImmediate(() => req.destroy(Object.assign(new Error('broken pipe'), { code: 'EPIPE' })))
      const error = await result
      assert.equal(error.message, 'broken pipe')
      assert.equal(error.status, 400)
      assert.equal(error.code, 'EPIPE')
    })

    it('may close early', async () => {
      const req = Object.assign(new PassThrough(), { headers })
      const result = parse(req)
      setImmediate(() => req.destroy())
      assert.equal((await result).type, 'request.aborted')
    })

    it('may be shorter than it says', async () => {
      const req = Object.assign(Readable.from([Buffer.from('{}')]), { headers })
      const error = await parse(req)
      assert.equal(error.message, 'request size did not match content length')
      assert.deepEqual([error.status, error.type, error.expected, error.length, error.received], [400, 'request.size.invalid', 7, 7, 2])
    })

    it('may be longer than it says', async () => {
      const req = Object.assign(Readable.from([Buffer.from('{"a":"longer"}')]), { headers })
      assert.equal((await parse(req)).type, 'request.size.invalid')
    })

    it('may have been read already', async () => {
      const req = Object.assign(new PassThrough(), { headers })
      req.end()
      req.resume()
      await once(req, 'end')
      const error = await parse(req)
      assert.deepEqual([error.message, error.status, error.type, error.expose], ['stream is not readable', 500, 'stream.not.readable', false])
    })

    it('may have been read already, with a coded body', async () => {
      const req = Object.assign(new PassThrough(), { headers: { ...headers, 'content-encoding': 'gzip' } })
      req.end()
      req.resume()
      await once(req, 'end')
      assert.equal((await parse(req)).type, 'stream.not.readable')
    })

    it('may be longer than it says, with a coded body', async () => {
      const coded = zlib.gzipSync(JSON.stringify(Array.from({ length: 20_000 }, Math.random)))
      const req = Object.assign(Readable.from([coded]), { headers: { ...headers, 'content-encoding': 'gzip' } })
      assert.equal((await parse(req, subject.json({ limit: '1mb' }))).length, 20_000)
    })
  })

  describe('a request that is wrapped in', () => {
    const wrappers = {
      'a Proxy': (req) => new Proxy(req, {}),
      'a Proxy that binds its methods': (req) => new Proxy(req, {
        get (target, name) {
          const value = target[name]
          return typeof value === 'function' ? value.bind(target) : value
        }
      }),
      'an object that inherits': (req) => Object.create(req)
    }
    for (const [what, wrap] of Object.entries(wrappers)) {
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
      const gzip = { ...JSON_TYPE, 'Content-Encoding': 'gzip' }
      table([
        { it: what, ...row },
        { it: `${what}, in chunks`, ...row, chunked: true },
        { it: `${what}, coded`, ...row, headers: gzip, body: zlib.gzipSync('{"a":1}') },
        { it: `${what}, coded and in chunks`, ...row, headers: gzip, body: zlib.gzipSync('{"a":1}'), chunked: true },
        { it: `${what}, over the limit`, ...row, make: make({ limit: 3 }), expect: { error: { status: 413 } } },
        { it: `${what}, in chunks over the limit`, ...row, make: make({ limit: 3 }), chunked: true, ignore: ['error'], expect: { error: { status: 413 } } },
        { it: `${what}, coded, over the limit`, ...row, make: make({ limit: 3 }), headers: gzip, body: zlib.gzipSync('{"a":1}'), ignore: ['error'], expect: { error: { status: 413 } } }
      ])
    }
  })

  describe('a request that a wrapper makes up', () => {
    const wrappers = {
      async 'light-my-request' (handler, headers, body) {
        const { statusCode, payload } = await require('light-my-request')(handler, { method: 'POST', url: '/', headers, payload: body })
        return [statusCode, payload]
      },
      async 'serverless-http' (handler, headers, body) {
        const serve = require('serverless-http')(handler)
        const event = { version: '2.0', rawPath: '/', headers, requestContext: { http: { method: 'POST', path: '/', sourceIp: '127.0.0.1' } }, body: body.toString('base64'), isBase64Encoded: true }
        const { statusCode, body: answer } = await serve(event, {})
        return [statusCode, answer]
      }
    }
    const json = { 'content-type': 'application/json' }
    const gzip = { ...json, 'content-encoding': 'gzip' }
    const cases = {
      'a body': [json, '{"a":1}', {}, 200],
      'an empty body': [json, '', {}, 200],
      'a large body': [json, JSON.stringify(Array(20_000).fill('value')), { limit: '1mb' }, 200],
      'a body of another type': [{ 'content-type': 'a/b' }, 'x', {}, 200],
      'a body without its length': [{ ...json, 'transfer-encoding': 'chunked' }, '{"a":1}', {}, 200],
      'a coded body': [gzip, zlib.gzipSync('{"a":1}'), {}, 200],
      'a large coded body': [gzip, zlib.gzipSync(JSON.stringify(Array.from({ length: 20_000 }, Math.random))), { limit: '1mb' }, 200],
      'what is no JSON': [json, '{', {}, 400],
      'a body over the limit': [json, '{"a":1}', { limit: 3 }, 413],
      'a body far over the limit': [json, 'x'.repeat(300_000), { drainLimit: 0 }, 413],
      'a coded body over the limit': [gzip, zlib.gzipSync(' '.repeat(300_000)), {}, 413],
      'a corrupt coded body': [gzip, 'junk', {}, 400],
      'a refused coding': [{ ...json, 'content-encoding': 'x' }, '{}', {}, 415],
      'a wrong length': [{ ...json, 'content-length': '9' }, '{"a":1}', {}, 400],
      'what verify refuses': [json, '{}', { verify () { throw new Error('no') } }, 403]
    }
    for (const [name, send] of Object.entries(wrappers)) {
      for (const [what, [headers, body, options, status]] of Object.entries(cases)) {
        it(`of ${name}: ${what}`, async () => {
          const outcomes = []
          for (const bodyParser of [subject, require('body-parser')]) {
            let calls = 0
            const parser = bodyParser.json(options)
            const handler = (req, res) => parser(req, res, (error) => {
              res.statusCode = error?.status ?? 200
              res.end(JSON.stringify({ calls: ++calls, error, message: error?.message, body: error ? null : req.body }))
            })
            const answer = send(handler, { ...headers }, Buffer.from(body))
            outcomes.push(await Promise.race([answer, delay(1500, ['hangs'], { ref: false })]))
          }
          assert.equal(outcomes[0][0], status)
          assert.equal(JSON.parse(outcomes[0][1]).calls, 1)
          assert.deepEqual(outcomes[0], outcomes[1])
        })
      }
    }
  })

  describe('a stream that never ends', () => {
    const headers = { 'content-type': 'application/json' }
    const cases = {
      'over the limit by its length': [{ 'content-length': '90' }, '{}', { limit: 5 }, 413],
      'over the limit by its bytes': [{ 'transfer-encoding': 'chunked' }, '{"a":12345}', { limit: 5 }, 413],
      'of an unknown charset': [{ 'content-type': 'application/json; charset=utf-x', 'content-length': '9' }, '{}', {}, 415],
      'corrupt in its coding': [{ 'content-encoding': 'gzip', 'transfer-encoding': 'chunked' }, 'junk that is no gzip', {}, 400]
    }
    for (const [what, [more, text, options, status]] of Object.entries(cases)) {
      it(`but is ${what} is refused at once`, async () => {
        const req = Object.assign(new PassThrough(), { headers: { ...headers, ...more } })
        const seen = new Promise((resolve) => subject.json(options)(req, {}, resolve))
        req.write(text)
        const error = await Promise.race([seen, delay(1000, 'hangs', { ref: false })])
        assert.equal(error.status, status)
      })
    }

    it('may lack what streams have', async () => {
      const req = Object.assign(new EventEmitter(), { headers: { ...headers, 'content-length': '9' } })
      const seen = new Promise((resolve) => subject.json({ limit: 1 })(req, {}, resolve))
      assert.equal((await seen).status, 413)
    })
  })

  it('of who reads along too slowly do not matter', async () => {
    const { Writable } = require('node:stream')
    const body = 'x'.repeat(500_000)
    const server = http.createServer((req, res) => {
      req.pipe(new Writable({ write () {} })) // never done
      subject.text({ limit: 1000 })(req, res, (error) => {
        res.statusCode = error.status
        res.end()
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const answer = fetch(`http://127.0.0.1:${server.address().port}/`, { method: 'POST', body })
    const res = await Promise.race([answer, delay(1500, { status: 'hangs' }, { ref: false })])
    assert.equal(res.status, 413)
    server.close()
    server.closeAllConnections()
  })

  it('in null for a header field do not matter', async () => {
    const parse = (headers, options) => new Promise((resolve) => {
      const req = Object.assign(Readable.from([Buffer.from('{"a":1}')]), { headers: { 'content-length': '7', ...headers } })
      subject.json(options)(req, {}, (error) => resolve(error ?? req.body))
    })
    assert.equal(await parse({ 'content-type': null }), undefined)
    assert.deepEqual(await parse({ 'content-type': null }, { type: () => true }), { a: 1 })
    assert.deepEqual(await parse({ 'content-type': 'application/json', 'content-encoding': null }), { a: 1 })
  })

  it('of length against framing, which insecureHTTPParser lets pass, are found as by body-parser', async () => {
    const oracle = require('body-parser')
    for (const [length, chunks, fields] of [[2, ['{}'], ''], [2, ['{}', 'hello'], ''], [9, ['{}'], ''], [2, ['{}', ' '.repeat(200_000)], ''], [9, [zlib.gzipSync('{}')], 'Content-Encoding: gzip\r\n']]) {
      const outcomes = []
      for (const bodyParser of [subject, oracle]) {
        const server = http.createServer({ insecureHTTPParser: true }, (req, res) => bodyParser.json()(req, res, (error) => {
          outcomes.push({ ...error, message: error?.message, body: req.body })
          res.end()
        }))
        server.listen(0, '127.0.0.1')
        await once(server, 'listening')
        const socket = net.connect(server.address().port, '127.0.0.1')
        socket.write(Buffer.concat([
          Buffer.from(`POST / HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\n${fields}Content-Length: ${length}\r\nTransfer-Encoding: chunked\r\n\r\n`),
          ...chunks.map(asChunk),
          LAST_CHUNK
        ]))
        await once(socket, 'data')
        socket.destroy()
        server.close()
      }
      delete outcomes[0].received // where a large body breaks the limit is the network's choice
      delete outcomes[1].received
      assert.deepEqual(outcomes[0], outcomes[1])
    }
  })

  it('of two readers at once do not matter', async () => {
    const readers = {
      'a second parser': (req, res, resolve) => subject.raw({ type: '*/*' })(req, res, (error) => resolve(error?.message ?? String(req.body))),
      'a loop over the request': async (req, res, resolve) => {
        const chunks = []
        for await (const chunk of req) chunks.push(chunk)
        resolve(String(Buffer.concat(chunks)))
      }
    }
    for (const read of Object.values(readers)) {
      const seen = []
      const server = http.createServer(async (req, res) => {
        await Promise.all([
          new Promise((resolve) => subject.json()(req, res, (error) => resolve(seen.push(error?.message ?? JSON.stringify(req.body))))),
          new Promise((resolve) => read(req, res, resolve)).then((value) => seen.push(value))
        ])
        res.end()
      })
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      await fetch(`http://127.0.0.1:${server.address().port}/`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":1}' })
      assert.deepEqual(seen, ['{"a":1}', '{"a":1}'])
      server.close()
      server.closeAllConnections()
    }
  })

  it('of a paused request do not matter', async () => {
    const server = http.createServer((req, res) => {
      req.pause()
      subject.json()(req, res, (error) => res.end(JSON.stringify(error ?? req.body)))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    for (const headers of [{}, { 'content-encoding': 'gzip' }, { 'transfer-encoding': 'chunked' }]) {
      const body = headers['content-encoding'] ? zlib.gzipSync('{"a":1}') : Buffer.from('{"a":1}')
      const lines = Object.entries({ 'content-type': 'application/json', ...(headers['transfer-encoding'] ? {} : { 'content-length': body.length }), ...headers })
      const req = http.request({ port: server.address().port, host: '127.0.0.1', method: 'POST', headers: Object.fromEntries(lines) })
      req.flushHeaders()
      setTimeout(() => req.end(body), 10)
      const [res] = await once(req, 'response')
      assert.equal(String(await res.toArray()), '{"a":1}')
    }
    server.close()
    server.closeAllConnections()
  })
})
