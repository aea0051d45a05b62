'use strict'

// Sends one request packet by packet over a real connection. A packet goes out
// when the server has read the one before, so the server sees the same packets
// each time.

const { once } = require('node:events')
const http = require('node:http')
const net = require('node:net')
const { setImmediate: turn } = require('node:timers/promises')
const { untilRead } = require('./until-read')

let server

async function listen () {
  server = http.createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.unref()
}

/**
 * @param {(req: http.IncomingMessage, res: http.ServerResponse, done: () => void) => void} handle
 *   takes the request, and says when it has seen what it looks for
 * @param {{ packets: (string | Buffer)[], cut?: boolean }} message of which the
 *   first packet begins with the header; may be cut off after the last
 */
async function observe (handle, { packets, cut = false }) {
  if (server === undefined) await listen()
  const client = net.connect(server.address().port, '127.0.0.1')
  client.setNoDelay(true)
  client.on('error', () => {}) // the connection may be closed on us
  client.resume()
  const seen = new Promise((resolve) => {
    server.once('request', (req, res) => handle(req, res, () => resolve(res)))
  })
  const [connection] = await once(server, 'connection')
  for (const packet of packets) {
    client.write(packet)
    await untilRead(connection, client)
    await turn()
  }
  if (cut) client.destroy()
  const res = await seen
  for (let turns = 0; turns < 3; turns++) await turn() // what else happens
  if (!res.writableEnded) res.end()
  client.end()
  if (!connection.destroyed) await new Promise((resolve) => connection.once('close', resolve))
}

module.exports = observe
