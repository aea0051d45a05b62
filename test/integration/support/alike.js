'use strict'

// Apps on this package and on body-parser, which are to answer the same.

const assert = require('node:assert/strict')
const { once } = require('node:events')
const http = require('node:http')
const net = require('node:net')
const { listen, stop } = require('../../../tools/local-server')
const all = require('./requests')

/**
 * @typedef {object} Side an app that can be asked
 * @property {(request: import('./requests').Request) => Promise<{ status: number, text: string }>} ask
 * @property {() => unknown} close
 */

/**
 * Sends the same requests to an app on this package and to one on body-parser. The answers must be right, and the same.
 *
 * @param {() => Promise<Side>} createOurs
 * @param {() => Promise<Side>} createTheirs
 * @param {import('./requests').Request[]} [requests]
 */
function alike (createOurs, createTheirs, requests = all) {
  let ours, theirs

  before(async function () {
    this.timeout(60_000) // npm packs
    ours = await createOurs()
    theirs = await createTheirs()
  })

  after(async () => {
    await ours?.close()
    await theirs?.close()
  })

  for (const request of requests) {
    it(request.it, async () => {
      const answer = await ours.ask(request)
      check(answer, request)
      assert.deepEqual(answer, await theirs.ask(request))
    })
  }
}

function check ({ status, text }, { seen, error }) {
  assert.equal(status, error?.status ?? 200, text)
  if (seen !== undefined) assert.deepEqual(JSON.parse(text), seen)
  else if (text.includes('"type"')) assert.equal(JSON.parse(text).error.type, error.type)
}

/** @param {http.Server | Function} app or a listener of requests @returns {Promise<Side>} */
async function serve (app) {
  const server = typeof app === 'function' ? http.createServer(app) : app
  await listen(server)
  return sideOf(server, () => stop(server))
}

/** A side of a server that a framework started. */
function sideOf (server, close) {
  return { ask: (request) => send({ port: server.address().port }, request), close }
}

/** One request on a connection of its own; a chunked body goes out in two. */
async function send (place, { method = 'POST', path = '/', headers, body, chunked }) {
  const length = body === undefined || chunked ? {} : { 'content-length': Buffer.byteLength(body) }
  const message = { method, path, headers: { ...headers, ...length }, agent: false }
  const req = http.request({ host: '127.0.0.1', ...place, ...message })
  req.on('error', () => {}) // it may be answered before it is sent
  if (chunked) {
    req.write(body.slice(0, 5))
    await new Promise(setImmediate)
  }
  req.end(chunked ? body.slice(5) : body)
  const [res] = await once(req, 'response')
  const text = Buffer.concat(await res.toArray()).toString()
  return { status: res.statusCode, type: res.headers['content-type'], connection: res.headers.connection, text }
}

/** @returns {Promise<boolean>} whether somebody listens in this place */
async function accepts (place) {
  const socket = net.connect({ host: '127.0.0.1', ...place })
  const isConnected = await once(socket, 'connect').then(() => true, () => false)
  socket.destroy()
  return isConnected
}

module.exports = { accepts, alike, send, serve, sideOf }
