'use strict'

const { once } = require('node:events')
const http = require('node:http')
const { setImmediate: turn } = require('node:timers/promises')

/** A server in this process, on the loopback interface. */
class LocalServer {
  #peers = new Map() // port of a client -> the server's end of the connection

  /**
   * @param {(req: http.IncomingMessage, res: http.ServerResponse) => void} [handle] the field may be changed
   * @param {http.ServerOptions} [options]
   */
  static async open (handle, options) {
    const server = new LocalServer(http.createServer(options), handle)
    server.port = await listen(server.http)
    return server
  }

  constructor (server, handle) {
    this.http = server
    this.handle = handle
    server.on('request', (req, res) => this.handle(req, res))
    server.on('connection', (peer) => {
      const { remotePort } = peer
      this.#peers.set(remotePort, peer)
      peer.on('close', () => this.#peers.delete(remotePort))
    })
  }

  /** Gives a client the server's end of its connection, whose close it notices. @param {import('./talk')} talk */
  async accept (talk) {
    const { localPort } = talk.socket
    while (!this.#peers.has(localPort) && !talk.closed) await turn()
    talk.peer = this.#peers.get(localPort)
    talk.peer?.on('close', () => talk.check())
  }

  close () {
    stop(this.http)
  }
}

/** @param {http.Server} server @returns {Promise<number>} its port */
async function listen (server) {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return server.address().port
}

/** @param {http.Server} server with its connections */
function stop (server) {
  server.close()
  server.closeAllConnections()
}

module.exports = LocalServer
Object.assign(module.exports, { listen, stop })
