'use strict'

const assert = require('node:assert/strict')
const { EventEmitter, once } = require('node:events')
const http = require('node:http')
const net = require('node:net')
const { PassThrough, Readable } = require('node:stream')
const { setTimeout: delay } = require('node:timers/promises')
const zlib = require('node:zlib')
const subject = require('fast-body-parser')
const { asChunk, LAST_CHUNK } = require('./support/chunk')
const { table } = require('./support/table')

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
        await delay(30)
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

    it('may have its encoding set amid the body, which is refused', async () => {
      const req = Object.assign(new PassThrough(), { headers })
      const result = parse(req)
      req.write('{"a"')
      setImmediate(() => {
        req.setEncoding('utf8')
        req.end(':1}')
      })
      assert.equal((await result).type, 'stream.encoding.set')
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
