'use strict'

const LocalServer = require('../../tools/local-server')

let server

/**
 * @returns {Promise<LocalServer>} one for all, which gives each request to this handler: requests come one at a
 *   time
 */
module.exports = async function sharedServer (handle) {
  server ??= await LocalServer.open()
  server.http.unref()
  server.handle = handle
  return server
}
