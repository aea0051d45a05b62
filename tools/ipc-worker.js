'use strict'

// The child's side of ipc-process.js. It needs no packages, and runs on
// any version of Node.js.

/**
 * Answers the commands of the parent, and exits when the parent is gone.
 *
 * @param {Record<string, (fields: object) => object | void | Promise<object | void>>} handlers by type
 *   of command; they return the fields of the answer. An error ends the exchange
 */
function handleCommands (handlers) {
  process.on('message', async ({ type, ...fields }) => {
    try {
      process.send({ type, ...await handlers[type](fields) })
    } catch (error) {
      process.send({ type: 'failed', reason: error.message })
    }
  })
  process.on('disconnect', () => process.exit())
}

/** Tells the parent that the first command may come. */
function sayReady (fields = {}) {
  process.send({ type: 'ready', ...fields })
}

/** Tells the parent what is wrong, and exits. */
function failAndExit (error) {
  process.send({ type: 'failed', reason: error.message }, () => process.exit(1))
}

/**
 * Starts a server, and tells the parent its port.
 *
 * @param {import('node:net').Server} server
 * @param {import('node:net').ListenOptions} options
 */
function serve (server, options) {
  server.on('error', failAndExit)
  server.listen(options, () => sayReady({ port: server.address().port }))
}

module.exports = { handleCommands, sayReady, failAndExit, serve }
