'use strict'

const { once } = require('node:events')
const { setTimeout: delay } = require('node:timers/promises')
const Talk = require('../../../tools/talk')
const { fill, MB } = require('../catalog/fill')
const { collected, post } = require('./clients')

const SLOW = 4 // clients that wait for their answer
const UPLOADS = 60
const SIZE = 6 * MB
const SETTLE = 300 // ms after the last one
const OURS = 'fast-body-parser, cooperative'
const options = { limit: '8mb' }

/** The most expensive text of its size, as far as is known, to parse in slices. */
const body = fill('[1,', SIZE)

/** Uploads that are aborted once they are written, with `rest` behind the body. */
function aborts (name, what, rest, faultsOf) {
  return {
    name,
    what: `${UPLOADS} uploads of 6 MB, ${what}aborted once they are written, while ${SLOW} others hold the places`,
    columns: ['requests', 'no next', 'connections', 'buffers MB', 'RSS MB'],
    rows: { [OURS]: { target: OURS, options }, 'body-parser': { target: 'body-parser', options } },
    flags: ['--expose-gc'],
    async run (server) {
      const request = post(body)
      for (let i = 0; i < SLOW; i++) (await Talk.open(server.port)).write(request)
      for (let i = 0; i < UPLOADS; i++) await upload(server.port, Buffer.concat([request, rest]))
      await delay(SETTLE)
      const { requests, pending, connections, buffers, rss } = await collected(server)
      return [requests, pending, connections, buffers / MB, rss / MB]
    },
    faultsOf: ({ [OURS]: figures }) => faultsOf(...figures)
  }
}

async function upload (port, bytes) {
  const { socket } = await Talk.open(port)
  await new Promise((resolve) => socket.write(bytes, resolve))
  socket.destroy()
  await once(socket, 'close')
}

module.exports = [
  aborts('cooperative-aborts', '', Buffer.alloc(0), (requests, pending, connections, buffers) => [
    pending > SLOW && 'requests of clients that have left are pending',
    buffers > (SLOW + 2) * SIZE / MB && 'bodies of clients that have left are in memory'
  ]),
  // Node stops reading from a connection whose next request is not read, so it cannot notice that the client has left.
  aborts('cooperative-aborts-behind', 'each with the beginning of another behind it, ', post(body).subarray(0, MB),
    (requests, pending, connections, buffers) => [
      pending > 2 * connections && 'more than two requests of a connection are pending',
      buffers > connections * 1.1 * SIZE / MB && 'more than a body of each connection is in memory'
    ])
]
