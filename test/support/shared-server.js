'use strict'

const LocalServer = require('../../tools/local-server')
const Talk = require('../../tools/talk')

const handlers = new WeakMap() // the server's end of a connection -> what takes its requests
const idle = []
let server

/** A connection to a server, which is one for all, whose requests this handler takes: to be closed, or kept. */
async function connect (handle) {
  const talk = idle.pop() ?? await open()
  if (talk.closed || talk.peer.destroyed) return connect(handle)
  talk.rest = Buffer.alloc(0)
  for (const socket of endsOf(talk)) socket.ref()
  handlers.set(talk.peer, handle)
  return talk
}

/** Leaves a connection that has answered all its requests to others: to open one takes longer than most of these. */
function keep (talk) {
  for (const socket of endsOf(talk)) socket.unref()
  idle.push(talk)
}

const endsOf = ({ socket, peer }) => [socket, peer]

async function open () {
  server ??= await listen()
  return Talk.open(server)
}

async function listen () {
  const server = await LocalServer.open((req, res) => handlers.get(req.socket)(req, res))
  server.http.keepAliveTimeout = 0 // none: it could end while the next request is on its way
  server.http.unref()
  return server
}

module.exports = { connect, keep }
