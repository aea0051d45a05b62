'use strict'

// The programs of docs/deployment.md, run.

const assert = require('node:assert/strict')
const { spawn } = require('node:child_process')
const { once } = require('node:events')
const fs = require('node:fs')
const http = require('node:http')
const Module = require('node:module')
const net = require('node:net')
const os = require('node:os')
const path = require('node:path')
const zlib = require('node:zlib')
const { sendHttp } = require('./support/serve')

const root = path.join(__dirname, '../../..')
const page = fs.readFileSync(path.join(root, 'docs/deployment.md'), 'utf8')
const [serverProgram, lambdaProgram, ...others] = Array.from(page.matchAll(/^```js\n([^]*?)^```$/gm),
  ([, code]) => code)
const json = { 'content-type': 'application/json' }

describe('docs/deployment.md', () => {
  let folder

  before(() => {
    assert.deepEqual(others, [])
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fast-body-parser-deployment-'))
    const modules = path.join(folder, 'node_modules')
    fs.mkdirSync(modules)
    fs.symlinkSync(root, path.join(modules, 'fast-body-parser'), 'dir')
    for (const name of ['express', 'serverless-http']) {
      fs.symlinkSync(path.join(__dirname, '../node_modules', name), path.join(modules, name), 'dir')
    }
  })

  after(() => fs.rmSync(folder, { recursive: true, force: true }))

  describe('the server', () => {
    const children = []
    let port

    async function start (name, program) {
      const file = path.join(folder, name)
      fs.writeFileSync(file, program)
      const child = spawn(process.execPath, [file],
        { env: { ...process.env, NODE_ENV: 'test', PORT: '0' }, stdio: ['ignore', 'pipe', 'inherit'] })
      children.push(child)
      const [text] = await once(child.stdout.setEncoding('utf8'), 'data')
      return { child, port: Number(/\d+/.exec(text)[0]) }
    }

    before(async () => {
      ({ port } = await start('server.js', serverProgram))
    })

    after(() => {
      for (const child of children) child.kill('SIGKILL')
    })

    it('parses bodies up to its limit', async () => {
      const { text } = await sendHttp(port, { headers: json, body: '{"a":1}' })
      assert.deepEqual(JSON.parse(text), { body: { a: 1 } })
      assert.equal((await sendHttp(port, { headers: json, body: JSON.stringify(['x'.repeat(2 ** 20)]) })).status, 413)
    })

    it('gives up on a body that is late', async () => {
      const hasty = serverProgram // as in the page, but for the times
        .replace('requestTimeout: 30_000', 'requestTimeout: 500, connectionsCheckingInterval: 50')
        .replace('headersTimeout: 10_000', 'headersTimeout: 400')
      const { port } = await start('hasty.js', hasty)
      const socket = net.connect(port, '127.0.0.1')
      socket.write('POST / HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"a":')
      const answer = Buffer.concat(await socket.toArray()).toString()
      assert.match(answer, /^HTTP\/1\.1 408 /)
    })

    it('ends when what was under way is answered, though a client would keep its connection', async () => {
      const { child, port } = await start('kept.js', serverProgram)
      const agent = new http.Agent({ keepAlive: true })
      const req = http.request({ host: '127.0.0.1', port, method: 'POST', headers: json, agent })
      req.write('{"a":')
      await sendHttp(port, { headers: json, body: '{}' })
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      while (await accepts(port));
      req.end('2}')
      const [res] = await once(req, 'response')
      assert.equal(res.headers.connection, 'keep-alive')
      assert.deepEqual(JSON.parse(Buffer.concat(await res.toArray())), { body: { a: 2 } })
      assert.deepEqual(await ended, [0, null]) // long before keepAliveTimeout
      agent.destroy()
    })

    it('ends, too, when a body stalls', async () => {
      const hasty = serverProgram.replace('closeAllConnections(), 30_000', 'closeAllConnections(), 500')
      assert.notEqual(hasty, serverProgram)
      const { child, port } = await start('stalled.js', hasty)
      const socket = net.connect(port, '127.0.0.1').on('error', () => {})
      socket.write('POST / HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"a":')
      await sendHttp(port, { headers: json, body: '{}' })
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      assert.deepEqual(await ended, [0, null])
    })
  })

  describe('the handler for Lambda', () => {
    const call = async (headers, body, isBase64Encoded) => {
      const event = {
        version: '2.0',
        rawPath: '/',
        rawQueryString: '',
        headers,
        requestContext: { http: { method: 'POST' } },
        body,
        isBase64Encoded
      }
      const { statusCode, body: text } = await handler(event, {})
      return { status: statusCode, ...JSON.parse(text) }
    }
    let handler

    before(() => {
      const file = path.join(folder, 'lambda.js')
      fs.writeFileSync(file, lambdaProgram)
      ;({ handler } = Module.createRequire(file)(file))
    })

    const bytes = zlib.gzipSync('{"a":"é"}')
    const length = { 'content-length': String(bytes.length) }
    const octets = { 'content-type': 'application/octet-stream', ...length }
    const gzip = { ...json, 'content-encoding': 'gzip', ...length }
    const base64 = bytes.toString('base64')

    const parsed = { status: 200, bytes: false, body: { a: 'é' } }
    const invalid = { status: 400, type: 'request.size.invalid' }
    const rows = {
      'parses text': [json, '{"a":"é"}', false, parsed],
      'parses base64': [json, Buffer.from('{"a":"é"}').toString('base64'), true, parsed],
      'parses gzip in base64': [gzip, base64, true, parsed],
      'sees bytes that a gateway took for text by their length': [octets, bytes.toString(), false, invalid],
      'sees base64 that is not flagged by its length': [octets, base64, false, invalid]
    }
    for (const [title, [headers, body, isBase64Encoded, expected]] of Object.entries(rows)) {
      it(title, async () => assert.deepEqual(await call(headers, body, isBase64Encoded), expected))
    }

    it('gives bytes that came in base64', async () => {
      const { body } = await call(octets, base64, true)
      assert.deepEqual(Buffer.from(body), bytes)
    })

    it('leaves a Buffer in req.body where no parser has anything to do', async () => {
      const { bytes, body } = await call({ 'content-type': 'image/png' }, 'png', false)
      assert.deepEqual({ bytes, body: Buffer.from(body).toString() }, { bytes: true, body: 'png' })
    })
  })
})

async function accepts (port) {
  const socket = net.connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
