'use strict'

// Requests in chunks, or over HTTP/2, that may have content and have none:
// Cloudflare's tunnel and linkerd send them so.

const assert = require('node:assert/strict')
const http2 = require('node:http2')
const { PassThrough, Readable } = require('node:stream')
const { text: textOf } = require('node:stream/consumers')
const { setImmediate: turn } = require('node:timers/promises')
const { json, multipart, refuseUnparsed } = require('fast-body-parser')
const awaitFirstByte = require('../../../lib/core/request/first-byte')
const { asChunk, serializeHead, LAST_CHUNK } = require('../../../tools/http-message')
const { createStorage } = require('../../support/async-storage')
const exchange = require('../../support/exchange')
const serving = require('../../support/serving')
const schemaOf = require('../../support/schema-of')

const EMPTY = Buffer.alloc(0)
const schema = schemaOf((value) => ({ value: value ?? 'nothing' }))
const parts = multipart().parts

/** What refuses content of a type that nothing takes. */
const refusers = {
  refuseUnparsed: refuseUnparsed(),
  'json({ schema })': json({ schema }),
  'parts()': (req, res, next) => {
    parts(req, res).next().then(({ done }) => assert.ok(done)).then(() => next(), next)
  }
}

const chunked = (pieces, headers, method = 'POST') => ({
  head: serializeHead({ method }, { Host: 'test', 'Transfer-Encoding': 'chunked', ...headers }),
  pieces
})

for (const [name, refuser] of Object.entries(refusers)) {
  describe(`${name}, for a request of undeclared length`, () => {
    for (const [what, message] of [
      ['in one piece', chunked([LAST_CHUNK])],
      ['whose end comes later', chunked([EMPTY, LAST_CHUNK])],
      ['that names a type', chunked([EMPTY, LAST_CHUNK], { 'Content-Type': 'text/xml' })],
      ['with trailers', chunked([Buffer.from('0\r\nA: b\r\n\r\n')])]
    ]) {
      it(`passes one without content ${what}`, async () => {
        const storage = createStorage()
        let store
        const seen = await exchange(
          (req, res, next) => storage.run('of the request', () => refuser(req, res, (...error) => {
            store = storage.getStore()
            next(...error)
          })),
          message
        )
        assert.deepEqual([seen.next, seen.error, seen.listeners, seen.reusable, store],
          [1, 'none', [], true, 'of the request'])
      })
    }

    for (const [what, message] of [
      ['in one piece', chunked([Buffer.concat([asChunk('<a/>'), LAST_CHUNK])])],
      ['that comes later', chunked([EMPTY, asChunk('<'), asChunk('a/>'), LAST_CHUNK])],
      ['of a type', chunked([EMPTY, asChunk('<a/>'), LAST_CHUNK], { 'Content-Type': 'text/xml' })],
      ['of a MB', chunked([...Array(16)].map(() => asChunk('x'.repeat(65536))).concat(LAST_CHUNK))]
    ]) {
      it(`refuses content ${what}, and leaves the connection usable`, async () => {
        const seen = await exchange(refuser, message)
        assert.deepEqual([seen.next, seen.error.type, seen.listeners, seen.reusable],
          [1, 'media.type.unsupported', [], true])
      })
    }

    it('refuses it with the first byte, and reads nothing of it', async () => {
      let state
      const seen = await exchange((req, res, next) => refuser(req, res, (error) => {
        state = [req.readableDidRead, req.readableLength]
        next(error)
      }), { ...chunked([asChunk('x')]), cut: true })
      assert.deepEqual([seen.error.type, state], ['media.type.unsupported', [false, 1]])
    })

    it('gives request.aborted if the client leaves before', async () => {
      const seen = await exchange(refuser, { ...chunked([EMPTY]), cut: true })
      assert.deepEqual([seen.next, seen.error.type, seen.listeners], [1, 'request.aborted', []])
    })

    it('tells it over HTTP/2 as well, and ends the stream of what is refused', async () => {
      const server = http2.createServer((req, res) => refuser(req, res, (error) => res.end(error?.type ?? 'passed')))
      await serving(server, async (port) => {
        const client = http2.connect(`http://127.0.0.1:${port}`)
        const post = (write) => {
          const stream = client.request({ ':method': 'POST' })
          write(stream)
          return textOf(stream)
        }
        const later = async (stream) => { await turn(); stream.end() }
        for (const write of [(stream) => stream.end(), later]) assert.equal(await post(write), 'passed')
        const flood = (stream) => { for (let i = 0; i < 100; i++) stream.write('x'.repeat(10000)) }
        for (const write of [(stream) => stream.end('x'), (stream) => stream.write('x'.repeat(1000)), flood]) {
          assert.equal(await post(write), 'media.type.unsupported')
        }
        client.close()
      })
    })
  })
}

describe('a schema that waits for content', () => {
  it('refuses what does not come in time, with a 408', async () => {
    const seen = await exchange(json({ schema, timeout: 20 }), chunked([EMPTY]))
    assert.deepEqual([seen.next, seen.error.type, seen.listeners], [1, 'request.timeout', []])
  })

  it('validates that there is none', async () => {
    const { body } = await exchange(json({ schema }), chunked([LAST_CHUNK]))
    assert.deepEqual(body, { string: 'nothing' })
  })
})

describe('the first byte', () => {
  const ask = (req, res = {}) => new Promise((resolve, reject) => {
    awaitFirstByte(req, res, (error, hasContent) => error === null ? resolve(hasContent) : reject(error))
  })
  const stream = (readable, headers = { 'transfer-encoding': 'chunked' }) => Object.assign(readable, { headers })

  it('is not awaited for a declared length, for anything but a stream, or where a byte has come', async () => {
    const headers = { 'transfer-encoding': 'chunked' }
    const arrived = stream(new PassThrough())
    arrived.write('x')
    for (const req of [stream(new PassThrough(), { 'content-length': '1' }), { headers }, arrived]) {
      let told
      awaitFirstByte(req, {}, (...args) => { told = args })
      assert.deepEqual(told, [null, true])
    }
  })

  it('is that of streams which give it when they are asked', async () => {
    assert.equal(await ask(stream(Readable.from(['x']))), true)
    assert.equal(await ask(stream(Readable.from([]))), false)
    assert.equal(await ask(stream(Readable.from([], { objectMode: false })), null), false)
  })

  it('may still be read', async () => {
    const req = stream(new PassThrough())
    const asked = ask(req)
    req.end('xy')
    assert.equal(await asked, true)
    await turn()
    assert.equal(String(Buffer.concat(await req.toArray())), 'xy')
  })

  it('is awaited no longer once that is said', async () => {
    const req = stream(new PassThrough())
    const stop = awaitFirstByte(req, undefined, () => assert.fail('told'))
    stop()
    req.end('x')
    await turn()
    assert.deepEqual(['readable', 'end', 'close'].map((event) => req.listenerCount(event)), [0, 0, 0])
  })
})
