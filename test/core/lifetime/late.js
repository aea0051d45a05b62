'use strict'

const assert = require('node:assert/strict')
const { fork } = require('node:child_process')
const { once } = require('node:events')
const fs = require('node:fs')
const http = require('node:http')
const http2 = require('node:http2')
const net = require('node:net')
const os = require('node:os')
const path = require('node:path')
const { setImmediate: turn } = require('node:timers/promises')
const { json } = require('fast-body-parser')
const { json: readJson } = require('fast-body-parser/web')
const Timer = require('../../../lib/core/lifetime/timer')

/** Keeps the event loop busy for so many ms. */
function block (ms) {
  const end = performance.now() + ms
  while (performance.now() < end);
}

const PATIENCE = 20_000 // ms

/** Keeps the event loop busy for so many ms, and until there is such a file. */
function blockUntil (file, ms) {
  block(ms)
  const end = performance.now() + PATIENCE
  while (!fs.existsSync(file) && performance.now() < end);
}

// Clients in a process of their own, as this one is busy: it begins requests, sends their bodies when it is told to,
// and makes a file once these have left.
if (process.argv[2] === 'clients') {
  const SIZE = 100_000
  const body = JSON.stringify('x'.repeat(SIZE - 2))
  const headers = { 'content-type': 'application/json', 'content-length': SIZE }
  const [, , , sent, ...targets] = process.argv
  const requests = targets.map((target, index) => {
    const [version, port] = target.split(':')
    const req = version === '2'
      ? http2.connect(`http://127.0.0.1:${port}`).request({ ':method': 'POST', ...headers })
      : http.request({ port, host: '127.0.0.1', method: 'POST', headers })
    if (version === '1') req.flushHeaders()
    req.on('response', (response) => process.send([index, response.statusCode ?? response[':status']]))
    req.on('error', (error) => process.send([index, error.message]))
    return req
  })
  process.on('message', async () => {
    for (const req of requests) req.end(body)
    await turn()
    await turn()
    fs.writeFileSync(sent, '')
  })
  process.on('disconnect', () => process.exit())
} else {
  describe('a server whose event loop is busy for longer than a guard allows', () => {
    describe('takes a body that arrived meanwhile', () => {
      const guards = {
        timeout: { timeout: 300 },
        minRate: { minRate: 10, timeout: 300 },
        'verify within the timeout': { timeout: 300, verify: () => turn() }
      }
      const rows = [1, 2].flatMap((version) =>
        Object.entries(guards).map(([guard, options]) => ({ version, guard, options })))
      const servers = []
      const statuses = []
      let client
      let folder

      // All at a time, as each has to wait until the loop is free again.
      before(async () => {
        const waiting = []
        folder = fs.mkdtempSync(path.join(os.tmpdir(), 'late-'))
        const sent = path.join(folder, 'sent')
        for (const { version, options } of rows) {
          const parser = json({ strict: false, ...options })
          const server = (version === 2 ? http2 : http).createServer((req, res) => {
            waiting.push(() => parser(req, res, (error) => {
              res.statusCode = error?.status ?? 200
              res.end()
            }))
            if (waiting.length === rows.length) begin()
          })
          servers.push(server.listen(0, '127.0.0.1'))
          await once(server, 'listening')
        }
        function begin () {
          for (const parse of waiting) parse()
          client.send('bodies')
          setImmediate(blockUntil, sent, 400) // the message has left
        }
        const targets = servers.map((server, i) => `${rows[i].version}:${server.address().port}`)
        client = fork(__filename, ['clients', sent, ...targets])
        await new Promise((resolve) => client.on('message', ([index, status]) => {
          statuses[index] = status
          if (Object.keys(statuses).length === rows.length) resolve()
        }))
      })

      after(() => {
        client.disconnect()
        for (const server of servers) {
          server.close()
          server.closeAllConnections?.()
        }
        fs.rmSync(folder, { recursive: true })
      })

      for (const [index, { version, guard }] of rows.entries()) {
        it(`over HTTP/${version}, with ${guard}`, () => assert.equal(statuses[index], 200))
      }
    })

    it('still answers 408 to a client that has sent nothing', async () => {
      const parser = json({ timeout: 50 })
      const server = http.createServer((req, res) => {
        parser(req, res, ({ status }) => res.writeHead(status).end())
        setImmediate(block, 200)
      })
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      const socket = net.connect(server.address().port, '127.0.0.1')
      socket.write('POST / HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n{"a"')
      let text = ''
      for await (const chunk of socket) text += chunk
      server.close()
      assert.match(text, /^HTTP\/1\.1 408 [^]*\r\nConnection: close\r\n/)
    })

    it('takes a Request whose body arrived meanwhile', async () => {
      const body = new ReadableStream({
        start (controller) {
          setImmediate(() => setImmediate(() => { // what the loop does first once it is free
            controller.enqueue(Buffer.from('{"a":1}'))
            controller.close()
          }))
        }
      })
      const request = new Request('http://test', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        duplex: 'half'
      })
      const value = readJson({ timeout: 20 })(request)
      block(200)
      assert.deepEqual(await value, { a: 1 })
    })
  })

  describe('a timer of a guard', () => {
    it('calls back at once if it is not late', () => {
      const calls = []
      const timer = new Timer(1e6, () => calls.push('called'))
      timer.cancel()
      timer.fire(0)
      assert.deepEqual(calls, ['called'])
    })

    it('calls nothing back if it is cancelled while it waits for what arrives', async () => {
      const timer = new Timer(1e6, assert.fail)
      timer.cancel()
      timer.fire(1)
      await turn()
      assert.equal(timer.timer._destroyed, true)
    })
  })
}
