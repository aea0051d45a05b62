'use strict'

const { once } = require('node:events')
const { setTimeout: delay } = require('node:timers/promises')
const RawConnection = require('../../../tools/raw-connection')
const { MB } = require('../catalog/fill')
const { HOSTILE, post } = require('./bodies')
const withProcesses = require('./processes')

const SLOW = 4 // clients that wait for their answer
const UPLOADS = 60
const SIZE = 6 * MB
const LIMIT = '8mb'
const SETTLE = 300 // ms after the last one
const TARGETS = ['fast-body-parser, cooperative', 'body-parser']

/** @type {import('./catalog').Scenario} */
module.exports = {
  name: 'cooperative-aborts',
  what: `${UPLOADS} uploads of 6 MB, each aborted once it is written, while ${SLOW} others hold the places`,
  columns: ['requests', 'no next', 'connections', 'buffers MB', 'RSS MB'],
  rows: TARGETS,
  measure: (target, settings) => withProcesses(async (processes) => {
    const server = await processes.start('server.js', { target, package: settings.parser, parser: 'json', options: { limit: LIMIT } }, { flags: ['--expose-gc'] })
    const request = post(HOSTILE.nested(SIZE))
    const slow = []
    for (let i = 0; i < SLOW; i++) {
      slow.push(await RawConnection.open(server.port))
      slow.at(-1).write(request)
    }
    for (let i = 0; i < UPLOADS; i++) await upload(server.port, request)
    await delay(SETTLE)
    await server.ask('collect')
    const { requests, pending, connections, buffers, rss } = await server.ask('sample')
    for (const connection of slow) connection.close()
    return [requests, pending, connections, buffers / MB, rss / MB]
  }),
  faultsOf: ({ 'fast-body-parser, cooperative': [, pending, , buffers] }) => [
    ...pending > SLOW ? ['requests of clients that have left are pending'] : [],
    ...buffers > (SLOW + 2) * SIZE / MB ? ['bodies of clients that have left are in memory'] : []
  ]
}

async function upload (port, request) {
  const { socket } = await RawConnection.open(port)
  await new Promise((resolve) => socket.write(request, resolve))
  socket.destroy()
  await once(socket, 'close')
}
