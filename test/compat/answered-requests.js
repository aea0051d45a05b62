'use strict'

const assert = require('node:assert/strict')
const { once } = require('node:events')
const http = require('node:http')
const net = require('node:net')
const theirs = require('body-parser')
const subject = require('fast-body-parser')

/** How often `next` is called after a client has got its answer, and leaves before its body is whole. */
async function countCalls (parser) {
  let calls = 0
  const server = http.createServer((req, res) => {
    parser(req, res, () => { calls++ })
    res.end('early')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = net.connect(server.address().port, '127.0.0.1')
  const [connection] = await once(server, 'connection')
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n[1')
  await once(socket, 'data')
  socket.destroy()
  await new Promise((resolve) => connection.once('close', resolve))
  await new Promise(setImmediate)
  server.close()
  return calls
}

describe('requests that are answered before they are parsed', () => {
  it('call next for a client that leaves only if something bounds the body', async () => {
    const budget = subject.createBudget({ bytes: '1mb' })
    const parsers = [theirs.json(), subject.json(), subject.json({ budget })]
    assert.deepEqual(await Promise.all(parsers.map(countCalls)), [0, 0, 1])
  })
})
