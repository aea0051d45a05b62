'use strict'

// How much is read off after an error, and clients that never stop sending.

const assert = require('node:assert/strict')
const { once } = require('node:events')
const http = require('node:http')
const net = require('node:net')
const { Readable } = require('node:stream')
const { setTimeout: delay } = require('node:timers/promises')
const zlib = require('node:zlib')
const express = require('express')
const onFinished = require('on-finished')
const subject = require('fast-body-parser')
const { asChunk } = require('../../../tools/http-message')
const { listen, stop } = require('../../../tools/local-server')
const exchange = require('../../support/exchange')
const inTime = require('../../support/in-time')
const { table } = require('../../support/table')
const TYPES = require('../../support/types')
const uploadHttp2 = require('../../support/upload-http2')

const KIB = 1024

const SLACK = 512 * KIB // bytes that Node and the kernel buffer

let server

/** Serves one parser; gives the outcome of its only request. */
async function serve (parser, { before = () => {}, answer = (res, error) => res.end(`answer: ${error?.type}`) } = {}) {
  const seen = { calls: 0 }
  server = http.createServer((req, res) => {
    seen.socket = req.socket
    const listeners = listenersOf(req)
    before(req, res)
    parser(req, res, (error) => {
      Object.assign(seen, { calls: seen.calls + 1, error, read: req.socket.bytesRead })
      setImmediate(() => { seen.left = listenersOf(req).filter((name) => !listeners.includes(name)) })
      if (!res.headersSent) res.statusCode = error?.status ?? 200
      answer(res, error)
    })
  })
  await listen(server)
  return seen
}

/** Answers once nothing more is read of a client that never stops. */
function answerOnceStopped (res, before = -1) {
  const { bytesRead } = res.socket
  if (bytesRead === before) res.end('answer')
  else setTimeout(answerOnceStopped, 50, res, bytesRead)
}

/** By their code, except for that of Node itself. */
function listenersOf (req) {
  return req.eventNames().flatMap((name) =>
    req.listeners(name).filter((listener) => listener.name !== 'clearIncoming').map(String))
}

/** Connects, and sends `piece` repeatedly until the connection ends. */
async function flood (head, first, piece, until = 'end') {
  const socket = net.connect(server.address().port, '127.0.0.1')
  const client = { socket, answer: '', closed: once(socket, 'close') }
  socket.on('error', () => {})
  socket.on('data', (data) => { client.answer += data })
  socket.write(Buffer.concat([Buffer.from(`POST / HTTP/1.1\r\nHost: test\r\n${head}\r\n`), first]))
  const pump = () => {
    if (!socket.destroyed) socket.write(piece, () => setImmediate(pump))
  }
  if (piece !== undefined) pump()
  await Promise.race([once(socket, until), once(socket, 'close'), delay(8000, null, { ref: false })])
  client.ended = socket.readableEnded
  return client
}

/** Sends for ever; gives what came back once the stream is closed. */
async function floodStream (stream) {
  const answer = { text: '' }
  stream.on('response', (fields) => { answer.status = fields[':status'] })
  stream.on('data', (data) => { answer.text += data })
  const pump = () => {
    if (!stream.destroyed) stream.write(Buffer.alloc(16 * KIB), () => setImmediate(pump))
  }
  pump()
  await inTime(once(stream, 'close'), 8000, 'stays open')
  return { ...answer, code: stream.rstCode }
}

function check (seen, client, drainLimit, status = 413) {
  assert.equal(seen.calls, 1)
  assert.equal(seen.error.status, status)
  assert.match(client.answer, new RegExp(`^HTTP/1.1 ${status} `))
  assert.match(client.answer, /\r\nConnection: close\r\n/)
  assert.match(client.answer, /answer: /)
  assert.equal(client.ended, true)
  assert.ok(seen.socket.bytesRead <= drainLimit + SLACK, `read ${seen.socket.bytesRead}`)
  assert.deepEqual(seen.left, [])
}

describe('option drainLimit', () => {
  afterEach(() => {
    if (server !== undefined) stop(server)
  })

  describe('has no effect', () => {
    const body = 'x'.repeat(3000)
    const refused = (it, options, body, more) => ({
      it,
      parser: 'text',
      options: { limit: 10, ...options },
      headers: { 'Content-Type': 'text/plain' },
      body,
      expect: { error: { status: 413 } },
      ...more
    })
    const chunked = { chunked: true, ignore: ['error'] }
    table([
      refused('on a chunked body of 300 kB, by default', {}, body.repeat(100), chunked),
      refused('on a chunked body of as many bytes', { drainLimit: 3000 }, body, chunked),
      refused('if the whole body has arrived before the error', { drainLimit: 0 }, 'x'.repeat(20),
        { chunked: true, arrivals: ['together'] }),
      refused('if the body is coded', { drainLimit: 3000 }, zlib.gzipSync(body.repeat(100)),
        { headers: { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' }, ignore: ['error'] }),
      {
        it: 'if the body was read before the error',
        parser: 'json',
        options: { drainLimit: 0 },
        headers: { 'Content-Type': 'application/json' },
        body: '{',
        expect: { error: { status: 400 } }
      }
    ])
  })

  it('closes the connection for one byte more', async () => {
    const head = 'POST / HTTP/1.1\r\nHost: test\r\nContent-Type: text/plain\r\nContent-Length: 3001\r\n\r\n'
    for (const pieces of [
      [Buffer.alloc(3001)],
      [Buffer.alloc(0), Buffer.alloc(3001)],
      [Buffer.alloc(3000), Buffer.alloc(1)]
    ]) {
      const seen = await exchange(subject.text({ limit: 10, drainLimit: 3000 }), { head, pieces })
      assert.deepEqual([seen.next, seen.error.status, seen.immediate, seen.reusable], [1, 413, false, false])
      assert.deepEqual(seen.listeners, [])
    }
  })

  describe('closes the connection of a client that never stops sending', () => {
    const piece = Buffer.alloc(64 * KIB, 'x')
    const chunk = asChunk(piece)
    const zeros = zlib.gzipSync(Buffer.alloc(300_000))
    const CHUNKED = 'Transfer-Encoding: chunked\r\n'
    const GZIP = 'Content-Encoding: gzip\r\n'
    const HUGE = 'Content-Length: 1000000000000\r\n'
    const LIMIT = 512 * KIB
    const typed = (name, fields) => `Content-Type: ${TYPES[name]}\r\n${fields}`

    /** [title, parser, fields of the header, the first bytes, those that follow for ever, how many are read, status] */
    const rows = [
      ['chunks', 'text', typed('text', CHUNKED), chunk, chunk, LIMIT],
      ['a huge declared length, without reading it', 'text', typed('text', HUGE), piece, piece, 0],
      ['a coded body over the limit', 'raw', typed('raw', CHUNKED + GZIP), asChunk(zeros), chunk, LIMIT],
      ['a coded body of huge declared length, without reading on', 'raw', typed('raw', HUGE + GZIP), zeros, piece, 0],
      ['a corrupt coded body', 'raw', typed('raw', CHUNKED + GZIP), chunk, chunk, LIMIT, 400],
      ['a body of an unknown charset', 'text', `Content-Type: text/plain; charset=x-none\r\n${CHUNKED}`, chunk, chunk,
        LIMIT, 415]
    ]
    for (const [title, name, fields, first, next, least, status] of rows) {
      it(title, async () => {
        const seen = await serve(subject[name]({ drainLimit: LIMIT }))
        check(seen, await flood(fields, first, next), least, status)
        if (status === undefined && first === chunk) assert.ok(seen.read > least)
      })
    }
  })

  describe('sends the response first', () => {
    const head = 'Content-Type: text/plain\r\nContent-Length: 1000000000000\r\n'
    const endless = () => new Readable({ read () { this.push(Buffer.alloc(64 * KIB)) } })
    const send = (options) => http.request({
      port: server.address().port,
      host: '127.0.0.1',
      method: 'POST',
      headers: { 'Content-Type': 'text/plain' },
      ...options
    })

    it('to a client that sends while it reads, even if it is large', async () => {
      await serve(subject.text({ drainLimit: 0 }), { answer: (res) => res.end('x'.repeat(3_000_000)) })
      const req = send()
      req.on('error', () => {})
      const body = endless().pipe(req)
      const [res] = await once(req, 'response')
      let size = 0
      for await (const chunk of res) size += chunk.length
      body.destroy()
      assert.deepEqual([res.statusCode, size, res.headers.connection], [413, 3_000_000, 'close'])
    })

    it('even if the error handler awaits the end of the request, as that of Express does', async () => {
      for (const fields of ['Content-Length: 1000000000000', 'Transfer-Encoding: chunked']) {
        const app = express().set('env', 'test').use(subject.text({ drainLimit: 256 * KIB }))
        const seen = await serve((req, res) => app(req, res))
        const chunk = asChunk(Buffer.alloc(64 * KIB))
        const { answer, ended } = await flood(`Content-Type: text/plain\r\n${fields}\r\n`, chunk, chunk)
        assert.match(answer, /^HTTP\/1.1 413 .*Connection: close.*PayloadTooLargeError/s)
        assert.ok(ended)
        assert.ok(seen.socket.bytesRead <= 256 * KIB + SLACK)
        assert.equal(seen.calls, 0) // Express has answered
        stop(server)
      }
    })

    it('if its header was sent before', async () => {
      const seen = await serve(subject.text({ drainLimit: 0 }), {
        before: (req, res) => res.writeHead(200).flushHeaders()
      })
      const { answer, ended } = await flood(head, Buffer.alloc(KIB), Buffer.alloc(64 * KIB))
      assert.deepEqual([seen.calls, ended], [1, true])
      assert.match(answer, /^HTTP\/1.1 200 .*answer: entity.too.large/s)
    })
  })

  for (const [what, headers, drainLimit] of [
    ['of unknown length', {}, 256 * KIB],
    ['of a huge length', { 'content-length': 1e12 }, 0]
  ]) {
    it(`closes the stream of HTTP/2 of a client that never stops, ${what}, and no other`, async () => {
      let answer
      const { handled } = await uploadHttp2(subject.text({ drainLimit }), null, {
        headers: { 'content-type': 'text/plain', ...headers },
        send: (stream) => { answer = floodStream(stream) },
        handle: async (req, res, error) => {
          const { stream: { session } } = req
          const isFinished = onFinished.isFinished(req) // else finalhandler would read it to its end
          req.resume() // as an error handler may
          res.writeHead(error.status).end(error.type)
          const seen = await answer
          assert.ok(session.socket.bytesRead < drainLimit + SLACK)
          return { ...seen, isFinished, destroyed: session.destroyed }
        }
      })
      assert.deepEqual(handled,
        { status: 413, text: 'entity.too.large', code: 0, isFinished: true, destroyed: false })
    })
  }

  for (const [name, parser, type, body] of [
    ['a whole body', subject.json({ drainLimit: 100 * KIB }), 'application/json', '{}'],
    ['a form', subject.multipart({ drainLimit: 100 * KIB }), 'multipart/form-data; boundary=b', '--b--']
  ]) {
    it(`bounds the bytes behind the end of a coded body, too: ${name}`, async () => {
      const seen = await serve(parser, { answer: (res) => answerOnceStopped(res) })
      const head = `Content-Type: ${type}\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n`
      const client = await flood(head, asChunk(zlib.gzipSync(body)), asChunk(Buffer.alloc(16 * KIB)))
      assert.equal(seen.error, undefined)
      assert.match(client.answer, /^HTTP\/1.1 200 /)
      assert.match(client.answer, /\r\nConnection: close\r\n/)
      client.socket.destroy()
    })
  }
})
