'use strict'

const assert = require('node:assert/strict')
const { EventEmitter } = require('node:events')
const { after, before, describe, it } = require('mocha')
const { asChunk, messageOf, parseResponse, serializeRequest, split, toChunks } = require('../../../tools/http-message')
const LocalServer = require('../../../tools/local-server')
const Talk = require('../../../tools/talk')
const { watchListeners, watchNext } = require('../../../tools/watch-next')

const PATIENCE = 10_000 // ms

describe('tools/http-message', () => {
  const headers = { Host: 'h', 'Content-Type': 'text/plain' }

  it('declares a length, or sends chunks', () => {
    assert.equal(serializeRequest({ headers, body: Buffer.from('hello') }).toString(),
      'POST / HTTP/1.1\r\nHost: h\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello')
    assert.match(serializeRequest({ headers, body: Buffer.from('hello'), chunks: 2 }).toString(),
      /Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n$/)
    assert.equal(serializeRequest({ method: 'GET', headers: { Host: 'h' } }).toString(),
      'GET / HTTP/1.1\r\nHost: h\r\n\r\n')
  })

  it('frames every byte value', () => {
    const body = Buffer.from(Array.from({ length: 256 }, (_, i) => i))
    assert.deepEqual(toChunks(body, 100),
      Buffer.concat([body.subarray(0, 100), body.subarray(100, 200), body.subarray(200)].map(asChunk)))
    assert.deepEqual(asChunk(''), Buffer.alloc(0))
  })

  it('splits a body into pieces of about the same length, none of them empty', () => {
    assert.deepEqual(split(Buffer.from('abcde'), 3).map(String), ['ab', 'cd', 'e'])
    assert.deepEqual(split(Buffer.from('ab'), 9).map(String), ['a', 'b'])
  })

  it('parses a response once it is complete', () => {
    const bytes = Buffer.from('HTTP/1.1 415 No\r\nX-Id: 7\r\nContent-Length: 2\r\n\r\nhiHTTP')
    for (let end = 0; end < bytes.length - 4; end++) assert.equal(parseResponse(bytes.subarray(0, end)), null)
    const { status, headers, body, length } = parseResponse(bytes)
    assert.deepEqual([status, headers['x-id'], String(body), length], [415, '7', 'hi', bytes.length - 4])
    assert.throws(() => parseResponse(Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')),
      /declared length/)
  })
})

describe('tools/talk', () => {
  let server

  before(async () => {
    server = await LocalServer.open(async (req, res) => res.end(Buffer.concat(await req.toArray())))
  })

  after(() => server?.close())

  it('pipelines requests, and reads the responses in their order', async () => {
    const talk = await Talk.open(server.port)
    const bodies = ['first', '', 'x'.repeat(100_000)]
    await talk.write(Buffer.concat(bodies.map((body) => serializeRequest({ body }))))
    const responses = await talk.responses(3, PATIENCE)
    assert.deepEqual(responses.map(({ status, body }) => [status, String(body)]), bodies.map((body) => [200, body]))
    talk.close()
  })

  it('gives the responses that came before the connection was closed, or the time was over', async () => {
    for (const [Connection, closed, timeout] of [['close', true, PATIENCE], ['keep-alive', false, 50]]) {
      const talk = await Talk.open(server)
      await talk.send(messageOf({ headers: { Connection }, body: 'a' }))
      assert.equal((await talk.responses(2, timeout)).length, 1)
      assert.equal(talk.closed, closed)
      talk.close()
    }
  })

  it('sends pieces one by one, which a server in this process has read, and cuts the connection', async () => {
    const { handle } = server
    const seen = []
    const talk = await Talk.open(server)
    const note = (what) => {
      seen.push(what)
      talk.check()
    }
    server.handle = (req) => req.on('data', (piece) => note(String(piece))).on('error', ({ code }) => note(code))
    await talk.send(messageOf({ pieces: ['a', 'b', 'c'].map(Buffer.from), length: 9, cut: true }))
    await talk.until(() => talk.closed && seen.length === 4, PATIENCE)
    assert.deepEqual(seen, ['a', 'b', 'c', 'ECONNRESET'])
    server.handle = handle
  })

  it('tells whether a connection is still usable', async () => {
    for (const [Connection, isUsable] of [['close', false], ['keep-alive', true]]) {
      const talk = await Talk.open(server)
      await talk.send(messageOf({ headers: { Connection }, body: 'a' }))
      assert.equal(await talk.probe(1, PATIENCE), isUsable)
      talk.close()
    }
  })
})

describe('tools/watch-next', () => {
  it('counts the calls of next, and tells when the first came', async () => {
    for (const [immediate, middleware] of [[true, (next) => next(1)], [false, (next) => setImmediate(next, 1)]]) {
      const seen = {}
      const calls = []
      watchNext((next) => { middleware(next); setImmediate(next, 2) }, seen, (...args) => calls.push(args))
      await new Promise((resolve) => setImmediate(setImmediate, resolve))
      assert.deepEqual([seen, calls], [{ next: 2, immediate }, [[1]]])
    }
  })

  it('names the listeners that are left', () => {
    const emitter = new EventEmitter().on('a', function before () {})
    const left = watchListeners(emitter)
    const off = () => {}
    emitter.on('a', function stays () {}).on('b', off).off('b', off)
    assert.deepEqual(left(), ['a: stays'])
  })
})
