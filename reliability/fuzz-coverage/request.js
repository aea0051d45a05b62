'use strict'

// Requests without a network: IncomingMessages, as Node's server makes them.

const { IncomingMessage } = require('node:http')
const { Socket } = require('node:net')

/** @param {Record<string, string>} headers with names in lower case */
function createRequest (headers) {
  const socket = new Socket()
  Object.defineProperty(socket, 'readable', { get: () => !socket.destroyed })
  const req = new IncomingMessage(socket).setMaxListeners(0)
  // As the server listens.
  socket.on('error', () => {})
  socket.on('close', () => req.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' })))
  req.httpVersionMajor = 1
  req.httpVersionMinor = 1
  req.httpVersion = '1.1'
  req.method = 'POST'
  req.url = '/'
  req.headers = { ...headers }
  return req
}

/** The end of the message, as the server's parser reports it. */
function end (req) {
  req.complete = true
  req.push(null)
}

module.exports = { createRequest, end }
