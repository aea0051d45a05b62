'use strict'

// The child's side of ipc-process.js. It needs no packages, and runs on
// whatever version of Node.js a process was started with.

/**
 * Answers the orders of the parent, and exits when the parent is gone.
 *
 * @param {Record<string, (order: object) => object | void | Promise<object | void>>} handlers by type
 *   of order; they return the fields of the answer. An error ends the exchange
 */
function handleCommands (handlers) {
  process.on('message', async ({ type, ...order }) => {
    try {
      process.send({ type, ...await handlers[type](order) })
    } catch (error) {
      process.send({ type: 'failed', reason: error.message })
    }
  })
  process.on('disconnect', () => process.exit())
}

/** Tells the parent that the first order may come. */
function sayReady (fields = {}) {
  process.send({ type: 'ready', ...fields })
}

/** Tells the parent what is wrong, and exits. */
function giveUp (error) {
  process.send({ type: 'failed', reason: error.message }, () => process.exit(1))
}

/**
 * Starts a server, and tells the parent its port.
 *
 * @param {import('node:net').Server} server
 * @param {import('node:net').ListenOptions} options
 */
function serve (server, options) {
  server.on('error', giveUp)
  server.listen(options, () => sayReady({ port: server.address().port }))
}

module.exports = { handleCommands, sayReady, giveUp, serve }
