'use strict'

const assert = require('node:assert/strict')
const { EventEmitter } = require('node:events')
const { after, before, describe, it } = require('mocha')
const { asChunk, messageOf, parseResponse, serializeRequest, toChunks } = require('../../../tools/http-message')
const LocalServer = require('../../../tools/local-server')
const Talk = require('../../../tools/talk')
const { watchListeners, watchNext } = require('../../../tools/watch-next')

const PATIENCE = 10_000 // ms

describe('tools/http-message', () => {
  it('declares a length, or sends chunks', () => {
    const request = { headers: { Host: 'h' }, body: Buffer.from('hello') }
    for (const [more, text] of [
      [{}, 'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello'],
      [{ chunks: 2 },
        'POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n'],
      [{ method: 'GET' }, 'GET / HTTP/1.1\r\nHost: h\r\n\r\n']
    ]) assert.equal(String(serializeRequest({ ...request, ...more })), text)
  })

  it('frames every byte value', () => {
    const body = Buffer.from(Array.from({ length: 256 }, (_, i) => i))
    assert.deepEqual(toChunks(body, 200), Buffer.concat([body.subarray(0, 200), body.subarray(200)].map(asChunk)))
    assert.equal(asChunk('').length, 0)
  })

  it('parses a response once it is complete', () => {
    const bytes = Buffer.from('HTTP/1.1 415 No\r\nX-Id: 7\r\nContent-Length: 2\r\n\r\nhiHTTP')
    for (let end = 0; end < bytes.length - 4; end++) assert.equal(parseResponse(bytes.subarray(0, end)), null)
    const { status, headers, body, length } = parseResponse(bytes)
    assert.deepEqual([status, headers['x-id'], String(body), length], [415, '7', 'hi', bytes.length - 4])
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

  for (const [Connection, isUsable] of [['close', false], ['keep-alive', true]]) {
    it(`gives the responses that came, and tells whether a connection with "${Connection}" is usable`, async () => {
      const talk = await Talk.open(server)
      await talk.send(messageOf({ headers: { Connection }, body: 'a' }))
      assert.equal((await talk.responses(2, isUsable ? 50 : PATIENCE)).length, 1)
      assert.equal(talk.closed, !isUsable)
      assert.equal(await talk.probe(0, PATIENCE), isUsable)
      talk.close()
    })
  }

  it('sends pieces one by one, which a server in this process has read, and cuts the connection', async () => {
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
  })
})

describe('tools/watch-next', () => {
  for (const [when, immediate, call] of [['at once', true, (next) => next(1)], ['later', false, setImmediate]]) {
    it(`counts the calls of next, the first of which comes ${when}`, async () => {
      const seen = {}
      const calls = []
      watchNext((next) => {
        call(next, 1)
        setImmediate(next, 2)
      }, seen, (...args) => calls.push(args))
      await new Promise((resolve) => setImmediate(setImmediate, resolve))
      assert.deepEqual([seen, calls], [{ next: 2, immediate }, [[1]]])
    })
  }

  it('names the listeners that are left', () => {
    const emitter = new EventEmitter().on('a', function before () {})
    const left = watchListeners(emitter)
    const off = () => {}
    emitter.on('a', function stays () {}).on('b', off).off('b', off)
    assert.deepEqual(left(), ['a: stays'])
  })
})
