'use strict'

const { once } = require('node:events')
const http = require('node:http')
const net = require('node:net')
const { setTimeout: delay } = require('node:timers/promises')
const HANG_TIME = require('./hang-time')
const { cutOnceRead } = require('./until-read')

/**
 * Sends a part of a request and breaks the connection.
 *
 * @param {Function} parser
 * @param {Record<string, string | number>} headers
 * @param {Buffer} part of the body
 * @returns {Promise<{ error: unknown, calls: number }>} of `next`
 */
async function abort (parser, headers, part) {
  let calls = 0
  const seen = new Promise((resolve) => {
    const server = http.createServer((req, res) => parser(req, res, (error) => {
      calls++
      server.close()
      setTimeout(() => resolve({ error, calls }), 20)
    }))
    server.listen(0, '127.0.0.1', async () => {
      const socket = net.connect(server.address().port, '127.0.0.1').on('error', () => {})
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join('')
      socket.write(Buffer.concat([Buffer.from(`POST / HTTP/1.1\r\nHost: test\r\n${lines}\r\n`), part]))
      await cutOnceRead(once(server, 'request'), socket)
    })
  })
  return Promise.race([seen, delay(HANG_TIME, { error: 'none: hangs', calls }, { ref: false })])
}

module.exports = abort
