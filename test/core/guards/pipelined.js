'use strict'

const assert = require('node:assert/strict')
const http = require('node:http')
const net = require('node:net')
const { text: textOf } = require('node:stream/consumers')
const { createBudget, json } = require('fast-body-parser')
const serving = require('../../support/serving')

const HEAD = 'POST /1 HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: '
const BODY = '{"a":1}'

describe('a pipelined request behind a body that has arrived whole', () => {
  const never = () => new Promise(() => {})

  for (const [what, options] of [
    ['verify takes longer than timeout', { timeout: 50, verify: never }],
    ['the budget refuses it, and drainLimit is 0', { budget: createBudget({ bytes: 1 }), drainLimit: 0 }]
  ]) {
    it(`is answered when ${what}`, async () => {
      const parser = json(options)
      const seen = []
      const server = http.createServer((req, res) => {
        if (req.method === 'GET') return res.end('second')
        parser(req, res, (error) => {
          seen.push(error.status)
          res.writeHead(error.status).end('first')
        })
      })
      const text = await serving(server, (port) => {
        const socket = net.connect(port, '127.0.0.1')
        socket.write(`${HEAD}${BODY.length}\r\n\r\n${BODY}GET /2 HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n`)
        return textOf(socket)
      })
      assert.match(text, /^HTTP\/1\.1 (408|503) [^]*first[^]*HTTP\/1\.1 200 OK[^]*second/)
      assert.equal(seen.length, 1)
    })
  }
})

describe('a body that has arrived whole', () => {
  it('is parsed although the request behind it closes the connection', async () => {
    const parser = json({ drainLimit: 0 })
    const outcomes = []
    let close
    const closed = new Promise((resolve) => { close = resolve })
    const server = http.createServer(async (req, res) => {
      if (req.url === '/1') await closed
      parser(req, res, (error) => {
        outcomes.push(error?.type ?? req.body)
        res.end()
        close()
      })
    })
    await serving(server, (port) => {
      const socket = net.connect(port, '127.0.0.1')
      socket.write(`${HEAD}${BODY.length}\r\n\r\n${BODY}${HEAD.replace('/1', '/2')}1000000000000\r\n\r\n`)
      return textOf(socket)
    })
    assert.deepEqual(outcomes, ['entity.too.large', { a: 1 }])
  })
})
