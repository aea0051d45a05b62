'use strict'

// Samples of an idle server, and the faults in it. Once this module is loaded,
// warnings, unhandled rejections and uncaught exceptions are faults.

const { setImmediate } = require('node:timers/promises')

const FAULTS = 20 // that are kept
const PATIENCE = 5000 // ms for connections that linger

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length

const watch = {
  pending: 0, // requests whose parsers have not called `next`
  faults: [],
  budget: null,
  sockets: new Set(),
  timers: timers(),

  fault (text) {
    if (watch.faults.length < FAULTS) watch.faults.push(text)
  },

  /** @param {import('node:http').Server} server */
  follow (server) {
    server.on('connection', (socket) => {
      watch.sockets.add(socket)
      socket.on('close', () => watch.sockets.delete(socket))
    })
  }
}

process.on('warning', ({ stack }) => watch.fault(`warning: ${stack}`))
process.on('unhandledRejection', (reason) => watch.fault(`unhandled rejection: ${reason?.stack ?? reason}`))
process.on('uncaughtException', (error) => watch.fault(`uncaught exception: ${error?.stack ?? error}`))

/**
 * @returns {object} bytes of `heap`, of `buffers` outside it and of `rss`;
 *   `handles`, `pending` requests and the most `listeners` of a connection by
 *   number; bytes `held` of the budget; faults since the last sample
 */
function sample () {
  const { heapUsed: heap, arrayBuffers: buffers, rss } = process.memoryUsage()
  const handles = process.getActiveResourcesInfo().length
  const faults = watch.faults.splice(0)
  return { heap, buffers, rss, handles, pending: watch.pending, listeners: listeners(), held: held(), faults }
}

function listeners () {
  const count = (socket) => socket.eventNames().flatMap((name) => socket.listeners(name)).length
  return Math.max(0, ...Array.from(watch.sockets, count))
}

function held () {
  const { budget } = watch
  return budget === null ? 0 : budget.used + budget.waiting.size + budget.holding.size
}

/** @returns {Promise<Record<string, number>>} what must be 0 once all connections are closed */
async function rest () {
  const look = () => ({
    sockets: watch.sockets.size,
    timers: timers() - watch.timers,
    pending: watch.pending,
    held: held()
  })
  const end = performance.now() + PATIENCE
  while (performance.now() < end && Object.values(look()).some((count) => count > 0)) await setImmediate()
  return look()
}

module.exports = { watch, commands: { sample, rest } }
