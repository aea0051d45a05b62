'use strict'

const assert = require('node:assert/strict')
const { once } = require('node:events')
const http = require('node:http')
const net = require('node:net')
const { text: textOf } = require('node:stream/consumers')
const { setImmediate: turn } = require('node:timers/promises')
const { json } = require('fast-body-parser')
const { json: readJson } = require('fast-body-parser/web')
const Timer = require('../../../lib/core/lifetime/timer')
const serving = require('../../support/serving')
const { post } = require('../../support/web-request')

/** Keeps the event loop busy for so many ms. */
function block (ms) {
  const end = performance.now() + ms
  while (performance.now() < end);
}

const BODY = JSON.stringify('x'.repeat(70_000)) // more than is read at once
const HEADERS = { 'content-type': 'application/json', 'content-length': BODY.length }

describe('a server whose event loop is busy for longer than a guard allows', () => {
  it('takes a body that arrived meanwhile', async () => {
    const parser = json({ strict: false, timeout: 300 })
    const server = http.createServer()
    const status = await serving(server, async (port) => {
      const client = http.request({ port, host: '127.0.0.1', method: 'POST', headers: HEADERS })
      client.flushHeaders()
      const [req, res] = await once(server, 'request')
      parser(req, res, (error) => res.writeHead(error?.status ?? 200).end())
      client.end(BODY)
      setImmediate(block, 400) // the body has left
      const [{ statusCode }] = await once(client, 'response')
      return statusCode
    })
    assert.equal(status, 200)
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
    const request = post(body, { 'content-type': 'application/json' })
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
