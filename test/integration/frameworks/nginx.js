'use strict'

// What docs/deployment.md tells of nginx: its configuration of the page before an app, listening on a socket in the
// file system, whose name is surely free.

const assert = require('node:assert/strict')
const { spawn } = require('node:child_process')
const { once } = require('node:events')
const fs = require('node:fs')
const net = require('node:net')
const path = require('node:path')
const { setTimeout: delay } = require('node:timers/promises')
const LocalServer = require('../../../tools/local-server')
const { accepts, send } = require('../support/alike')
const blockOf = require('../support/blocks')
const { createFolder, remove, run, write } = require('../support/project')
const { answer, subject } = require('../support/stack')

const NGINX = process.env.NGINX ?? 'nginx'
const KB = 1000 // bytes
const CONFIGURATION = blockOf('docs/deployment.md', 'nginx', /listen/)
const json = { 'content-type': 'application/json' }
const filled = (length) => `["${'x'.repeat(length - 4)}"]`

describe('docs/deployment.md, of nginx', function () {
  this.timeout(20_000) // ms

  const started = []
  let app, folder, seen

  before(async function () {
    const found = await run(NGINX, ['-v']).then(() => true, () => false)
    if (!found) {
      console.log('      nginx is not on this machine: set NGINX to it')
      this.skip()
    }
    folder = createFolder()
    fs.chmodSync(folder, 0o777) // for its workers
    const parse = subject.json({ limit: '100kb', drainLimit: '200kb' })
    app = await LocalServer.open((req, res) => {
      const came = {}
      seen.push(came)
      parse(req, res, (error) => {
        came.error = error?.type
        answer(req, res, error)
      })
    })
  })

  beforeEach(() => { seen = [] })

  after(async () => {
    for (const child of started) {
      child.kill()
      await once(child, 'close')
    }
    app?.close()
    remove(folder)
  })

  /** Starts nginx; `change` makes its configuration of the page's. @returns {Promise<{ socketPath: string }>} */
  async function start (change = (page) => page) {
    const place = path.join(folder, String(started.length))
    fs.mkdirSync(place)
    fs.chmodSync(place, 0o777)
    const socketPath = path.join(place, 'socket')
    const servers = change(CONFIGURATION)
      .replace('127.0.0.1:3000', `127.0.0.1:${app.port}`)
      .replace('listen 8080', `listen unix:${socketPath}`)
    const log = path.join(place, 'error.log')
    const stores = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) =>
      `${name}_temp_path ${place}/${name};`)
    const main = `daemon off; pid ${place}/nginx.pid; error_log ${log} warn; worker_processes 1; events {}\n`
    write(place, { 'nginx.conf': `${main}http { access_log off; ${stores.join(' ')}\n${servers}}\n` })
    const child = spawn(NGINX, ['-p', place, '-c', path.join(place, 'nginx.conf'), '-e', log], { stdio: 'ignore' })
    started.push(child)
    while (!await accepts({ path: socketPath })) {
      assert.equal(child.exitCode, null, fs.existsSync(log) && fs.readFileSync(log, 'utf8'))
      await delay(10)
    }
    return { socketPath }
  }

  it('lets bodies up to client_max_body_size come to the app, which answers by its own limit', async () => {
    const place = await start()
    assert.equal((await send(place, { headers: json, body: '{"a":1}' })).text, '{"body":{"a":1}}')
    const { status, text } = await send(place, { headers: json, body: filled(300 * KB) })
    assert.deepEqual([status, JSON.parse(text).error.type, seen.length], [413, 'entity.too.large', 2])
    const refused = await send(place, { headers: json, body: filled(2048 * 1024 + 1) })
    assert.deepEqual([refused.status, seen.length], [413, 2])
    assert.match(refused.text, /^<html>/)
  })

  it('hands on the app\'s 413 without buffering, too', async () => {
    const place = await start((page) => page.replace('proxy_pass', 'proxy_request_buffering off; proxy_pass'))
    for (const chunked of [false, true]) {
      for (const size of [150 * KB, 1500 * KB]) { // within drainLimit, or not
        const { status, text } = await send(place, { headers: json, body: filled(size), chunked })
        assert.deepEqual([status, JSON.parse(text).error.type], [413, 'entity.too.large'])
      }
    }
  })

  it('cuts off who stalls: unseen by the app, or by request.aborted', async () => {
    for (const [buffering, expected] of [['on', []], ['off', ['request.aborted']]]) {
      seen = []
      const { socketPath } = await start((page) => page
        .replace('proxy_pass', `proxy_request_buffering ${buffering}; proxy_pass`)
        .replace(/client_body_timeout .*/, 'client_body_timeout 1s;'))
      const socket = net.connect(socketPath).on('error', () => {})
      socket.write('POST / HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"a":')
      await once(socket.resume(), 'close')
      while (seen.some(({ error }) => error === undefined)) await delay(5)
      assert.deepEqual(seen.map(({ error }) => error), expected)
    }
  })
})
