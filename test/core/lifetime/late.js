'use strict'

const assert = require('node:assert/strict')
const { once } = require('node:events')
const http = require('node:http')
const http2 = require('node:http2')
const net = require('node:net')
const { text: textOf } = require('node:stream/consumers')
const { setImmediate: turn } = require('node:timers/promises')
const { json } = require('fast-body-parser')
const { json: readJson } = require('fast-body-parser/web')
const Timer = require('../../../lib/core/lifetime/timer')
const serving = require('../../support/serving')

/** Keeps the event loop busy for so many ms. */
function block (ms) {
  const end = performance.now() + ms
  while (performance.now() < end);
}

const BODY = JSON.stringify('x'.repeat(70_000)) // more than is read at once
const HEADERS = { 'content-type': 'application/json', 'content-length': BODY.length }

/** A request whose header is sent, over HTTP/1 or 2. */
const clients = {
  1 (port) {
    const req = http.request({ port, host: '127.0.0.1', method: 'POST', headers: HEADERS })
    req.flushHeaders()
    return req
  },
  2 (port) {
    const session = http2.connect(`http://127.0.0.1:${port}`)
    return session.request({ ':method': 'POST', ...HEADERS }).on('close', () => session.close())
  }
}

describe('a server whose event loop is busy for longer than a guard allows', () => {
  describe('takes a body that arrived meanwhile', () => {
    const guards = {
      timeout: { timeout: 300 },
      minRate: { minRate: 10, timeout: 300 },
      'verify within the timeout': { timeout: 300, verify: () => turn() }
    }
    const rows = Object.entries(guards).flatMap(([guard, options]) => [[1, guard, options], [2, guard, options]])
    const statuses = []

    // All at a time, as each has to wait until the loop is free again.
    before(async () => {
      const waiting = []
      const begin = () => {
        for (const parse of waiting) parse()
        setImmediate(block, 400) // the bodies have left
      }
      await Promise.all(rows.map(([version, , options], index) => {
        const parser = json({ strict: false, ...options })
        const server = (version === 2 ? http2 : http).createServer()
        return serving(server, async (port) => {
          const client = clients[version](port)
          const answered = once(client, 'response')
          const [req, res] = await once(server, 'request')
          waiting.push(() => {
            parser(req, res, (error) => {
              res.statusCode = error?.status ?? 200
              res.end()
            })
            client.end(BODY)
          })
          if (waiting.length === rows.length) begin()
          const [response] = await answered
          statuses[index] = response.statusCode ?? response[':status']
          client.resume?.()
        })
      }))
    })

    for (const [index, [version, guard]] of rows.entries()) {
      it(`over HTTP/${version}, with ${guard}`, () => assert.equal(statuses[index], 200))
    }
  })

  it('still answers 408 to a client that has sent nothing', async () => {
    const parser = json({ timeout: 50 })
    const server = http.createServer((req, res) => {
      parser(req, res, ({ status }) => res.writeHead(status).end())
      setImmediate(block, 200)
    })
    const text = await serving(server, (port) => {
      const socket = net.connect(port, '127.0.0.1')
      socket.write('POST / HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n{"a"')
      return textOf(socket)
    })
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
