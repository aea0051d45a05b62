'use strict'

// One server for all cases. A request that comes late, from a connection of the
// case before, is not handled.

const http = require('node:http')
const { once } = require('node:events')

/**
 * @typedef {object} Visit what the server knows of the connection of a case
 * @property {number} port of the client
 * @property {(req: object, res: object) => void} handle
 * @property {import('node:net').Socket} [peer] the server's end
 */

/** @returns {Promise<{ port: number, visit: Visit | null, close: () => void }>} */
async function createServer () {
  const server = http.createServer({ keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0 }, (req, res) => {
    res.sendDate = false
    if (req.socket.remotePort === shared.visit?.port) shared.visit.handle(req, res)
    else req.socket.destroy()
  })
  const shared = {
    visit: null,
    sockets: new Map(), // port of the client -> the server's end
    close () {
      server.close()
      server.closeAllConnections()
    }
  }
  server.on('connection', (socket) => {
    const { remotePort } = socket
    shared.sockets.set(remotePort, socket)
    socket.on('close', () => shared.sockets.delete(remotePort))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  shared.port = server.address().port
  return shared
}

module.exports = createServer
