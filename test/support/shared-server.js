'use strict'

const LocalServer = require('../../tools/local-server')
const Talk = require('../../tools/talk')

const handlers = new WeakMap() // the server's end of a connection -> what takes its requests
let server

/**
 * @param {(req: object, res: object) => void} handle
 * @returns {Promise<Talk>} a connection to a server, which is one for all, whose requests this handler takes
 */
module.exports = async function connect (handle) {
  server ??= await LocalServer.open((req, res) => handlers.get(req.socket)(req, res))
  server.http.unref()
  const talk = await Talk.open(server)
  handlers.set(talk.peer, handle)
  return talk
}
