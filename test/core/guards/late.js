'use strict'

const assert = require('node:assert/strict')
const { fork } = require('node:child_process')
const { once } = require('node:events')
const http = require('node:http')
const http2 = require('node:http2')
const net = require('node:net')
const { setImmediate: turn } = require('node:timers/promises')
const { json } = require('fast-body-parser')
const { json: readJson } = require('fast-body-parser/web')
const Timer = require('../../../lib/core/guards/timer')

/** Keeps the event loop busy for so many ms. */
function block (ms) {
  const end = performance.now() + ms
  while (performance.now() < end);
}

// A client in a process of its own, as this one is busy: begins a request, and sends the body when it is told to.
if (process.argv[2] === 'client') {
  const [port, version, size] = process.argv.slice(3).map(Number)
  const body = JSON.stringify('x'.repeat(size - 2))
  const headers = { 'content-type': 'application/json', 'content-length': size }
  const done = (status) => process.send(status, () => process.exit())
  const req = version === 2
    ? http2.connect(`http://127.0.0.1:${port}`).request({ ':method': 'POST', ...headers })
    : http.request({ port, host: '127.0.0.1', method: 'POST', headers })
  if (version === 1) req.flushHeaders()
  req.on('response', (response) => done(response.statusCode ?? response[':status']))
  req.on('error', (error) => done(error.message))
  process.on('message', () => req.end(body))
} else {
  describe('a server whose event loop is busy for longer than a guard allows', () => {
    const SIZE = 100_000

    for (const version of [1, 2]) {
      for (const [guard, options] of [
        ['timeout', { timeout: 300 }],
        ['minRate', { minRate: 10, timeout: 300 }],
        ['verify within the timeout', { timeout: 300, verify: () => turn() }]
      ]) {
        it(`takes a body that arrived meanwhile over HTTP/${version}, with ${guard}`, async () => {
          const parser = json({ strict: false, ...options })
          const server = (version === 2 ? http2 : http).createServer((req, res) => {
            parser(req, res, (error) => {
              res.statusCode = error?.status ?? 200
              res.end()
            })
            client.send('body')
            setImmediate(block, 1500) // the message has left
          })
          server.listen(0, '127.0.0.1')
          await once(server, 'listening')
          const client = fork(__filename, ['client', server.address().port, version, SIZE])
          const [status] = await once(client, 'message')
          server.close()
          server.closeAllConnections?.()
          assert.equal(status, 200)
        })
      }
    }

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
      const request = new Request('http://test', { method: 'POST', headers: { 'content-type': 'application/json' }, body, duplex: 'half' })
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
