'use strict'

// One request over a real connection, byte for byte as the test wants it.

const http = require('node:http')
const net = require('node:net')
const { once } = require('node:events')
const { setImmediate: turn, setTimeout: delay } = require('node:timers/promises')
const HANG_TIME = require('./hang-time')
const { outcomeOf } = require('./outcome')
const { cutOnceRead } = require('./until-read')

let server
let handler // of the request under way; requests come one at a time

async function listen () {
  server = http.createServer((req, res) => handler(req, res))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.unref()
}

/**
 * Sends a request to a server that runs `middleware`, and tells what came of
 * it. A second request on the same connection tells whether that is usable.
 *
 * @param {Function} middleware (req, res, next)
 * @param {object} message
 * @param {string} message.head request line and header, with CRLFs
 * @param {Buffer[]} message.pieces of the body, each written on its own
 * @param {boolean} [message.cut] break the connection after the last piece
 * @returns {Promise<object>} outcome; its field `next` counts the calls
 */
async function exchange (middleware, { head, pieces, cut = false }) {
  if (server === undefined) await listen()
  const socket = net.connect(server.address().port, '127.0.0.1')
  socket.setNoDelay(true)
  socket.on('error', () => {}) // the outcome shows what happened
  await once(socket, 'connect')

  const requested = cut ? once(server, 'request') : null
  const outcome = new Promise((resolve) => {
    handler = (req, res) => observe(middleware, req, res, resolve)
  })
  socket.write(Buffer.concat([Buffer.from(head, 'latin1'), pieces[0]]))
  for (const piece of pieces.slice(1)) {
    await turn()
    await turn()
    socket.write(piece)
  }
  if (cut) await cutOnceRead(requested, socket)

  const seen = await withDeadline(outcome)
  if (!cut && seen.next > 0) seen.reusable = await isReusable(socket)
  socket.destroy()
  return seen
}

/** Runs the middleware and waits whether `next` is called once more. */
function observe (middleware, req, res, resolve) {
  const before = listenersOf(req)
  let calls = 0
  let returned = false
  const next = (error) => {
    if (++calls > 1) return
    const seen = outcomeOf(req, error)
    seen.immediate = !returned
    setImmediate(() => setImmediate(() => {
      seen.listeners = listenersOf(req).filter((name) => !before.includes(name))
      seen.next = calls
      res.end('first')
      resolve(seen)
    }))
  }
  try {
    middleware(req, res, next)
  } catch (error) {
    calls++
    res.end('first')
    resolve({ thrown: error.message, next: calls })
  }
  returned = true
}

function listenersOf (req) {
  return req.eventNames().flatMap((name) => req.listeners(name).map(() => String(name)))
}

async function isReusable (socket) {
  handler = (req, res) => res.end('second')
  const answered = new Promise((resolve) => {
    let answers = ''
    socket.on('data', (chunk) => {
      answers += chunk
      if (answers.includes('second')) resolve(true)
    })
  })
  socket.write('GET / HTTP/1.1\r\nHost: test\r\n\r\n')
  const closed = once(socket, 'close').then(() => false)
  return Promise.race([answered, closed, delay(HANG_TIME, false, { ref: false })])
}

async function withDeadline (outcome) {
  const late = delay(HANG_TIME, { next: 0, hangs: true }, { ref: false })
  return Promise.race([outcome, late])
}

module.exports = exchange
