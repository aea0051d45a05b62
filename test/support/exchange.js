'use strict'

// One request over a real connection, byte for byte as the test wants it.

const { setImmediate: turn } = require('node:timers/promises')
const { watchListeners, watchNext } = require('../../tools/watch-next')
const HANG_TIME = require('./hang-time')
const inTime = require('./in-time')
const { outcomeOf } = require('./outcome')
const { connect, keep } = require('./shared-server')

/**
 * Sends a message (see tools/http-message.js) to a server that runs `middleware`, and tells what came of it; `next`
 * counts the calls. A second request on the same connection tells whether that is usable.
 */
async function exchange (middleware, message) {
  let settle
  const outcome = new Promise((resolve) => { settle = resolve })
  let handle = (req, res) => observe(middleware, req, res, settle)
  const talk = await connect((req, res) => handle(req, res))
  await talk.send(message)
  const seen = await inTime(outcome, HANG_TIME, { next: 0, hangs: true })
  handle = (req, res) => res.end()
  if (!message.cut && seen.next > 0) seen.reusable = await talk.probe(1, HANG_TIME)
  if (seen.reusable) keep(talk)
  else talk.close()
  return seen
}

/** Runs the middleware and waits whether `next` is called once more. */
function observe (middleware, req, res, resolve) {
  const seen = {}
  const listenersLeft = watchListeners(req)
  const settle = async (error) => {
    Object.assign(seen, outcomeOf(req, error))
    await turn()
    await turn()
    seen.listeners = listenersLeft()
    res.end('first')
    resolve(seen)
  }
  try {
    watchNext((next) => middleware(req, res, next), seen, settle)
  } catch (error) {
    res.end('first')
    resolve({ thrown: error.message, next: seen.next + 1 })
  }
}

module.exports = exchange
