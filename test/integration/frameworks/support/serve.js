'use strict'

const { once } = require('node:events')
const http = require('node:http')

/**
 * @typedef {object} Side an app that can be asked
 * @property {(request: import('./requests').Request) => Promise<object>} ask
 * @property {() => unknown} close
 */

/**
 * Lets a server listen on a free port of the loopback.
 *
 * @param {http.Server | Function} server or a listener of requests
 * @param {(port: number, request: object) => Promise<object>} [send]
 * @returns {Promise<Side>}
 */
async function serve (server, send = sendHttp) {
  if (typeof server === 'function') server = http.createServer(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return sideOf(server, () => {
    server.close()
    server.closeAllConnections?.()
  }, send)
}

/** A side of a server that a framework started. */
function sideOf (server, close, send = sendHttp) {
  return { ask: (request) => send(server.address().port, request), close }
}

/** One request on a connection of its own. */
function sendHttp (port, request) {
  return sendBy(http.request, { port, agent: false }, request)
}

/** @param {Function} start `request` of node:http or node:https */
async function sendBy (start, options, { method = 'POST', path = '/', headers, body, chunked }) {
  const length = body === undefined || chunked ? {} : { 'content-length': Buffer.byteLength(body) }
  const req = start({ host: '127.0.0.1', method, path, headers: { ...headers, ...length }, ...options })
  for (const piece of pieces(body, chunked)) {
    req.write(piece)
    await new Promise(setImmediate)
  }
  req.end()
  const [res] = await once(req, 'response')
  const text = Buffer.concat(await res.toArray()).toString()
  return { status: res.statusCode, type: res.headers['content-type'], connection: res.headers.connection, text }
}

/** A chunked body goes out in two. */
function pieces (body, chunked) {
  if (!body?.length) return []
  const bytes = Buffer.from(body)
  return chunked ? [bytes.subarray(0, 5), bytes.subarray(5)] : [bytes]
}

module.exports = { serve, sideOf, sendBy, sendHttp, pieces }
