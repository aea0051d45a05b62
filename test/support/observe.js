'use strict'

const { once } = require('node:events')
const { setImmediate: turn } = require('node:timers/promises')
const HANG_TIME = require('./hang-time')
const { connect, keep } = require('./shared-server')

/**
 * Sends one request packet by packet over a real connection, until `handle` calls `done`. A packet goes out when the
 * server has read the one before, so the server sees the same packets each time. The first begins with the header.
 */
async function observe (handle, { packets, cut }) {
  let resolve
  const seen = new Promise((_resolve) => { resolve = _resolve })
  const talk = await connect((req, res) => handle(req, res, () => resolve({ req, res })))
  await talk.send({ pieces: packets, cut })
  const { req, res } = await seen
  for (let turns = 0; turns < 3; turns++) await turn() // what else happens
  if (!res.writableEnded) res.end()
  await talk.until(() => talk.closed || talk.answers > 0, HANG_TIME)
  if (req.complete && !talk.ended) return keep(talk)
  talk.halfClose()
  if (!talk.peer.destroyed) await once(talk.peer, 'close')
}

module.exports = observe
