'use strict'

// Option `store: 'stream'` in an app whose handler fails or answers early, and beside code that awaits the end of a
// request, as Express does (finalhandler) before it answers an error that nobody else answers.

const assert = require('node:assert/strict')
const { once } = require('node:events')
const http2 = require('node:http2')
const net = require('node:net')
const { text } = require('node:stream/consumers')
const { setTimeout: delay } = require('node:timers/promises')
const express = require('express')
const createError = require('http-errors')
const onFinished = require('on-finished')
const { multipart } = require('../../../')
const { TYPE, form, upload } = require('../../support/upload')

const big = Buffer.alloc(2 ** 20, 'abcdefg')
const body = form(['a', '1'], ['f', big, 'x'], ['g', big, 'y'])
const begun = body.subarray(0, 1000)
const stream = { store: 'stream', limit: '8mb' }

async function readAll ({ files }) {
  const sizes = []
  for await (const file of files) sizes.push((await text(file)).length)
  return sizes
}

/** Sends a form to an app. @returns {Promise<string>} all that it answers until it closes the connection */
async function answerOf (handlers, sent, header = '') {
  const server = express().set('env', 'test').post('/', ...handlers).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = net.connect(server.address().port, '127.0.0.1')
  client.write(`POST / HTTP/1.1\r\nHost: h\r\nContent-Type: ${TYPE}\r\nContent-Length: ${body.length}\r\n${header}\r\n`)
  client.write(sent)
  let answer = ''
  client.on('data', (chunk) => { answer += chunk }).on('error', () => {}) // it may be reset
  await once(client, 'close')
  server.close()
  return answer
}

describe('code that awaits the end of a request', () => {
  const refusing = (act) => async (req) => {
    await act(req)
    throw createError(401, 'no')
  }
  const failing = refusing(() => {})
  const inLoop = refusing(async ({ files }) => { for await (const { field } of files) if (field === 'f') break })
  const reading = async (req, res) => {
    for await (const part of multipart({ timeout: 50 }).parts(req, res)) part.resume() // longer than the client stays
  }
  const CLOSE = 'Connection: close\r\n'
  // [what, handlers, what is sent, header]
  const rows = [
    ['its handler fails once the request is held back', [multipart(stream), refusing(() => delay(50))], body, CLOSE],
    ['its handler fails in the loop', [multipart(stream), inLoop], body, CLOSE],
    ['a deadline ends a form that its handler has left', [multipart({ ...stream, timeout: 50 }), failing], begun],
    ['a form that its handler has left is over drainLimit',
      [multipart({ ...stream, drainLimit: 1000, files: { f: { size: 1000 }, g: {} } }), failing], body],
    ['a deadline ends a loop over parts beside a handler that fails',
      [(req, res, next) => { reading(req, res).catch(() => {}); setImmediate(next) }, failing], begun]
  ]
  for (const [what, handlers, sent, header] of rows) {
    it(`answers, and the connection closes, where ${what}`, async () => {
      assert.equal((await answerOf(handlers, sent, header)).slice(0, 12), 'HTTP/1.1 401')
    })
  }

  const awaitEnd = (req) => { onFinished(req, () => {}) }
  for (const [when, before, behind] of [['before', awaitEnd, () => {}], ['behind', () => {}, awaitEnd]]) {
    it(`loses no file if it is somebody else, who waits since ${when} the form`, async () => {
      const parser = multipart(stream)
      const watched = (req, res, next) => {
        before(req)
        parser(req, res, next)
      }
      const { handled } = await upload(watched, body, {
        handle: async (req) => {
          behind(req)
          await delay(50) // such as for a database: the request is paused meanwhile
          return readAll(req)
        }
      })
      assert.deepEqual(handled, [big.length, big.length])
    })
  }

  it('reads off the form over HTTP/2, where an early response ends with its stream', async () => {
    const parser = multipart(stream)
    const server = http2.createServer((req, res) => parser(req, res, () => res.end('early'))).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const session = http2.connect(`http://127.0.0.1:${server.address().port}`)
    const request = session.request({ ':method': 'POST', 'content-type': TYPE }).end(body)
    await once(request.resume(), 'close')
    session.close()
    server.close()
  })
})
