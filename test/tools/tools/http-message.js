'use strict'

const assert = require('node:assert/strict')
const http = require('node:http')
const { once } = require('node:events')
const { after, before, describe, it } = require('mocha')
const { asChunk, parseResponse, serializeRequest, split, toChunks } = require('../../../tools/http-message')
const RawConnection = require('../../../tools/talk')

const PATIENCE = 10_000 // ms

describe('tools/http-message', () => {
  const headers = { Host: 'h', 'Content-Type': 'text/plain' }

  it('declares a length, or sends chunks', () => {
    assert.equal(serializeRequest({ headers, body: Buffer.from('hello') }).toString(),
      'POST / HTTP/1.1\r\nHost: h\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello')
    assert.match(serializeRequest({ headers, body: Buffer.from('hello'), chunks: 2 }).toString(),
      /Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n$/)
    assert.equal(serializeRequest({ method: 'GET', headers: { Host: 'h' } }).toString(), 'GET / HTTP/1.1\r\nHost: h\r\n\r\n')
  })

  it('frames every byte value', () => {
    const body = Buffer.from(Array.from({ length: 256 }, (_, i) => i))
    assert.deepEqual(toChunks(body, 100), Buffer.concat([body.subarray(0, 100), body.subarray(100, 200), body.subarray(200)].map(asChunk)))
    assert.deepEqual(asChunk(''), Buffer.alloc(0))
  })

  it('splits a body into pieces of about the same length, none of them empty', () => {
    assert.deepEqual(split(Buffer.from('abcde'), 3).map(String), ['ab', 'cd', 'e'])
    assert.deepEqual(split(Buffer.from('ab'), 9).map(String), ['a', 'b'])
  })

  it('parses a response once it is complete', () => {
    const bytes = Buffer.from('HTTP/1.1 415 No\r\nX-Id: 7\r\nContent-Length: 2\r\n\r\nhiHTTP')
    for (let end = 0; end < bytes.length - 4; end++) assert.equal(parseResponse(bytes.subarray(0, end)), null)
    assert.deepEqual(parseResponse(bytes), { status: 415, headers: { 'x-id': '7', 'content-length': '2' }, body: Buffer.from('hi'), length: bytes.length - 4 })
    assert.throws(() => parseResponse(Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')), /declared length/)
  })
})

describe('tools/talk', () => {
  let server

  before(async () => {
    server = http.createServer((req, res) => {
      let body = ''
      req.setEncoding('latin1').on('data', (text) => { body += text })
      req.on('end', () => res.setHeader('Content-Length', body.length).end(body))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
  })

  after(() => {
    server?.close()
    server?.closeAllConnections()
  })

  it('pipelines requests, and reads the responses in their order', async () => {
    const connection = await RawConnection.open(server.address().port)
    const bodies = ['first', '', 'x'.repeat(100_000)]
    await connection.write(Buffer.concat(bodies.map((body) => serializeRequest({ headers: { Host: 'h' }, body: Buffer.from(body) }))))
    const responses = await connection.responses(3, PATIENCE)
    assert.deepEqual(responses.map(({ status, body }) => [status, String(body)]), bodies.map((body) => [200, body]))
    connection.close()
  })

  it('gives the responses that came before the connection was closed, or the time was over', async () => {
    for (const [lifetime, closed, timeout] of [['close', true, PATIENCE], ['keep-alive', false, 50]]) {
      const connection = await RawConnection.open(server.address().port)
      connection.write(serializeRequest({ headers: { Host: 'h', Connection: lifetime }, body: Buffer.from('a') }))
      assert.equal((await connection.responses(2, timeout)).length, 1)
      assert.equal(connection.closed, closed)
      connection.close()
    }
  })
})
