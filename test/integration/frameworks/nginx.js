'use strict'

// What docs/deployment.md tells of nginx: its configuration of the page before
// an app, listening on a socket in the file system, whose name is surely free.

const assert = require('node:assert/strict')
const { execFile, spawn } = require('node:child_process')
const { once } = require('node:events')
const fs = require('node:fs')
const http = require('node:http')
const net = require('node:net')
const os = require('node:os')
const path = require('node:path')
const { promisify } = require('node:util')
const { setTimeout: delay } = require('node:timers/promises')
const { subject } = require('./support/stack')

const NGINX = process.env.NGINX ?? 'nginx'
const KB = 1000 // bytes
const KIB = 1024
const [, CONFIGURATION] = /^```nginx\n([^]*?)^```$/m.exec(fs.readFileSync(
  path.join(__dirname, '../../../docs/deployment.md'),
  'utf8'
))
const json = { 'content-type': 'application/json' }

describe('docs/deployment.md, of nginx', function () {
  this.timeout(20_000) // ms

  let app, folder, seen
  const started = []

  before(async function () {
    const found = await promisify(execFile)(NGINX, ['-v']).then(() => true, () => false)
    if (!found) {
      console.log('      nginx is not on this machine: set NGINX to it')
      this.skip()
    }
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'integration-nginx-'))
    fs.chmodSync(folder, 0o755)
    const parse = subject.json({ limit: '100kb', drainLimit: '200kb' })
    app = http.createServer((req, res) => {
      const came = {}
      seen.push(came)
      parse(req, res, (error) => {
        came.error = error?.type
        res.statusCode = error?.status ?? 200
        res.setHeader('content-type', 'application/json')
        res.end(JSON.stringify({ type: error?.type }))
      })
    })
    app.listen(0, '127.0.0.1')
    await once(app, 'listening')
  })

  beforeEach(() => { seen = [] })

  after(async () => {
    for (const child of started) {
      const closed = once(child, 'close')
      child.kill()
      await closed
    }
    app?.close()
    app?.closeAllConnections()
    if (folder !== undefined) fs.rmSync(folder, { recursive: true, force: true })
  })

  /** Starts nginx; `change` makes its configuration of the page's. */
  async function start (change = (page) => page) {
    const place = fs.mkdtempSync(path.join(folder, 'nginx-'))
    fs.chmodSync(place, 0o777) // for its workers
    const socketPath = path.join(place, 'socket')
    const servers = change(CONFIGURATION)
      .replace('127.0.0.1:3000', `127.0.0.1:${app.address().port}`)
      .replace('listen 8080', `listen unix:${socketPath}`)
    const log = path.join(place, 'error.log')
    const stores = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) =>
      `${name}_temp_path ${place}/${name};`)
    const file = path.join(place, 'nginx.conf')
    fs.writeFileSync(file, `daemon off; pid ${place}/nginx.pid; error_log ${log} warn; worker_processes 1;
events {}
http { access_log off; ${stores.join(' ')}
${servers}}
`)
    const child = spawn(NGINX, ['-p', place, '-c', file, '-e', log], { stdio: 'ignore' })
    started.push(child)
    while (!await accepts(socketPath)) {
      assert.equal(child.exitCode, null, fs.existsSync(log) && fs.readFileSync(log, 'utf8'))
      await delay(10)
    }
    return { socketPath }
  }

  it('lets bodies up to client_max_body_size come to the app, which answers by its own limit', async () => {
    const { socketPath } = await start()
    assert.deepEqual(await post(socketPath, json, '{"a":1}'), { status: 200, text: '{}' })
    assert.deepEqual(await post(socketPath, json, filled(300 * KB)), {
      status: 413,
      text: '{"type":"entity.too.large"}'
    })
    assert.equal(seen.length, 2)
    const refused = await post(socketPath, json, filled(2048 * KIB + 1))
    assert.equal(refused.status, 413)
    assert.match(refused.text, /^<html>/)
    assert.equal(seen.length, 2)
  })

  it('hands on the app\'s 413 without buffering, too', async () => {
    const { socketPath } = await start((page) => page.replace('proxy_pass', 'proxy_request_buffering off; proxy_pass'))
    for (const headers of [json, { ...json, 'transfer-encoding': 'chunked' }]) {
      for (const size of [150 * KB, 1500 * KB]) { // within drainLimit, or not
        assert.deepEqual(await post(socketPath, headers, filled(size)), {
          status: 413,
          text: '{"type":"entity.too.large"}'
        })
      }
    }
  })

  it('cuts off who stalls: unseen by the app, or by request.aborted', async () => {
    for (const [buffering, expected] of [['on', []], ['off', ['request.aborted']]]) {
      seen = []
      const { socketPath } = await start((page) => page
        .replace('proxy_pass', `proxy_request_buffering ${buffering}; proxy_pass`)
        .replace(/client_body_timeout .*/, 'client_body_timeout 1s;'))
      const socket = net.connect(socketPath)
      socket.on('error', () => {})
      socket.write('POST / HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"a":')
      await once(socket.resume(), 'close')
      while (seen.some(({ error }) => error === undefined)) await delay(5)
      assert.deepEqual(seen.map(({ error }) => error), expected)
    }
  })
})

function filled (length) {
  return `["${'x'.repeat(length - 4)}"]`
}

async function post (socketPath, headers, body) {
  const length = headers['transfer-encoding'] === undefined ? { 'content-length': Buffer.byteLength(body) } : {}
  const req = http.request({ socketPath, method: 'POST', headers: { ...headers, ...length }, agent: false })
  req.on('error', () => {}) // it may be answered before it is sent
  req.end(body)
  const [res] = await once(req, 'response')
  const text = Buffer.concat(await res.toArray()).toString()
  return { status: res.statusCode, text }
}

async function accepts (socketPath) {
  const socket = net.connect(socketPath)
  const connected = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(() => false)
  ]).catch(() => false)
  socket.destroy()
  return connected
}
