'use strict'

// The programs of docs/deployment.md, run.

const assert = require('node:assert/strict')
const { once } = require('node:events')
const http = require('node:http')
const Module = require('node:module')
const net = require('node:net')
const path = require('node:path')
const zlib = require('node:zlib')
const { read } = require('../../support/pages')
const { accepts, send } = require('../support/alike')
const { createProject, programsOf, startProgram } = require('../support/program')
const { remove, write } = require('../support/project')

const [server, lambda, ...others] = programsOf(read('docs/deployment.md')).map(({ code }) => code)
const json = { 'content-type': 'application/json' }
const STALLED = 'POST / HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"a":'

describe('docs/deployment.md', () => {
  const started = []
  let folder

  before(async function () {
    this.timeout(60_000) // ms; npm packs
    assert.deepEqual(others, [])
    folder = await createProject()
  })

  after(async () => {
    await Promise.all(started.map(({ stop }) => stop()))
    remove(folder)
  })

  describe('the server', () => {
    async function start (program = server) {
      const app = await startProgram(folder, program, { NODE_ENV: 'test' })
      started.push(app)
      return { ...app, port: Number(new URL(app.url).port) }
    }

    it('parses bodies up to its limit', async () => {
      const { port } = await start()
      const { text } = await send({ port }, { headers: json, body: '{"a":1}' })
      assert.deepEqual(JSON.parse(text), { body: { a: 1 } })
      const large = JSON.stringify(['x'.repeat(2 ** 20)])
      assert.equal((await send({ port }, { headers: json, body: large })).status, 413)
    })

    it('gives up on a body that is late', async () => {
      const { port } = await start(server // as in the page, but for the times
        .replace('requestTimeout: 30_000', 'requestTimeout: 500, connectionsCheckingInterval: 50')
        .replace('headersTimeout: 10_000', 'headersTimeout: 400'))
      const socket = net.connect(port, '127.0.0.1')
      socket.write(STALLED)
      assert.match(Buffer.concat(await socket.toArray()).toString(), /^HTTP\/1\.1 408 /)
    })

    it('ends when what was under way is answered, though a client would keep its connection', async () => {
      const { child, port } = await start()
      const agent = new http.Agent({ keepAlive: true })
      const req = http.request({ host: '127.0.0.1', port, method: 'POST', headers: json, agent })
      req.write('{"a":')
      await send({ port }, { headers: json, body: '{}' })
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      while (await accepts({ port }));
      req.end('2}')
      const [res] = await once(req, 'response')
      assert.equal(res.headers.connection, 'keep-alive')
      assert.deepEqual(JSON.parse(Buffer.concat(await res.toArray())), { body: { a: 2 } })
      assert.deepEqual(await ended, [0, null]) // long before keepAliveTimeout
      agent.destroy()
    })

    it('ends, too, when a body stalls', async () => {
      const hasty = server.replace('closeAllConnections(), 30_000', 'closeAllConnections(), 500')
      assert.notEqual(hasty, server)
      const { child, port } = await start(hasty)
      net.connect(port, '127.0.0.1').on('error', () => {}).write(STALLED)
      await send({ port }, { headers: json, body: '{}' })
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      assert.deepEqual(await ended, [0, null])
    })
  })

  describe('the handler for Lambda', () => {
    let handler

    before(() => {
      const file = path.join(folder, 'lambda.js')
      write(folder, { 'lambda.js': lambda })
      ;({ handler } = Module.createRequire(file)(file))
    })

    const bytes = zlib.gzipSync('{"a":"é"}')
    const octets = { 'content-type': 'application/octet-stream', 'content-length': String(bytes.length) }
    const gzip = { ...octets, ...json, 'content-encoding': 'gzip' }
    const base64 = bytes.toString('base64')
    const invalid = [400, { type: 'request.size.invalid' }]

    for (const [title, [headers, body, isBase64Encoded, expected]] of Object.entries({
      'parses text': [json, '{"a":"é"}', false, [200, { bytes: false, body: { a: 'é' } }]],
      'parses gzip in base64': [gzip, base64, true, [200, { bytes: false, body: { a: 'é' } }]],
      'gives bytes that came in base64': [octets, base64, true, [200, { bytes: true, body: bytes.toJSON() }]],
      'sees bytes that a gateway took for text by their length': [octets, bytes.toString(), false, invalid],
      'sees base64 that is not flagged by its length': [octets, base64, false, invalid]
    })) {
      it(title, async () => {
        const line = { version: '2.0', rawPath: '/', rawQueryString: '', requestContext: { http: { method: 'POST' } } }
        const { statusCode, body: text } = await handler({ ...line, headers, body, isBase64Encoded }, {})
        assert.deepEqual([statusCode, JSON.parse(text)], expected)
      })
    }
  })
})
