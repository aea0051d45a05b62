'use strict'

const { setImmediate: turn } = require('node:timers/promises')

const PATIENCE = process.versions.bun === undefined ? 1000 : 20 // ms; Bun does not count what a socket has read

/**
 * Waits until the server has read all that the client has written.
 *
 * @param {import('node:net').Socket} peer the server's end of the connection
 * @param {import('node:net').Socket} socket the client's
 */
async function untilRead (peer, socket) {
  const deadline = performance.now() + PATIENCE
  while (peer.bytesRead < socket.bytesWritten && !peer.destroyed && performance.now() < deadline) await turn()
}

/**
 * Breaks the client's connection, once the server has read what it has written.
 *
 * @param {Promise<[req: import('node:http').IncomingMessage]>} requested
 * @param {import('node:net').Socket} socket
 */
async function cutOnceRead (requested, socket) {
  const [req] = await requested
  await untilRead(req.socket, socket)
  socket.destroy()
}

module.exports = { cutOnceRead, untilRead }
