'use strict'

// One server for all cases under way; the client's port tells which case a request
// belongs to.

const http = require('node:http')
const { once } = require('node:events')

/**
 * @typedef {object} Visit what the server knows of one connection
 * @property {(req: object, res: object) => void} handle
 * @property {() => void} closed the server's side is
 * @property {import('node:net').Socket} [socket] the server's end
 */

/** @returns {Promise<{ port: number, visits: Map<number, Visit>, close: () => void }>} */
async function createServer () {
  const visits = new Map()
  const sockets = new Map()
  const server = http.createServer({ keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0 }, (req, res) => {
    res.sendDate = false
    const visit = visits.get(req.socket.remotePort)
    if (visit === undefined) req.socket.destroy() // its case is over
    else visit.handle(req, res)
  })
  server.on('connection', (socket) => {
    const port = socket.remotePort
    sockets.set(port, socket)
    socket.on('close', () => {
      if (sockets.get(port) === socket) sockets.delete(port)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    port: server.address().port,
    visits,
    sockets,
    close () {
      server.close()
      server.closeAllConnections()
    }
  }
}

module.exports = createServer
