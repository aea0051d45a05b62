'use strict'

const { setTimeout: delay } = require('node:timers/promises')
const LocalServer = require('../../tools/local-server')
const { messageOf } = require('../../tools/http-message')
const Talk = require('../../tools/talk')
const HANG_TIME = require('./hang-time')

/**
 * Sends a part of a request and breaks the connection.
 *
 * @param {Function} parser
 * @param {Record<string, string | number>} headers
 * @param {Buffer} part of the body
 * @returns {Promise<{ error: unknown, calls: number }>} of `next`
 */
async function abort (parser, headers, part) {
  const seen = { error: 'none: hangs', calls: 0 }
  const server = await LocalServer.open()
  const called = new Promise((resolve) => {
    server.handle = (req, res) => parser(req, res, (error) => {
      seen.error = error
      seen.calls++
      resolve(delay(20))
    })
  })
  const talk = await Talk.open(server)
  await talk.send({ ...messageOf({ headers }), pieces: [part], cut: true })
  await Promise.race([called, delay(HANG_TIME, null, { ref: false })])
  server.close()
  return seen
}

module.exports = abort
