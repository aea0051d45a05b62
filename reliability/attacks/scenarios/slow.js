'use strict'

const { MB } = require('../catalog/fill')
const { collected, connect, post, records } = require('./clients')

const CLIENTS = 5000
const DECLARED = 50 * 1024 // bytes, of which they send
const SENT = 4 * 1024 // at once, and then
const PAUSE = 2000 // ms between two bytes
const DURATION = 9000 // ms: more than the grace of `minRate`
const HONEST = { connections: 20, rate: 100 } // requests per second

const ROWS = {
  'fast-body-parser, timeout 4 s': { target: 'fast-body-parser', options: { timeout: 4000 } },
  'fast-body-parser, minRate 4kb': { target: 'fast-body-parser', options: { minRate: '4kb' } },
  'fast-body-parser': { target: 'fast-body-parser' },
  'body-parser': { target: 'body-parser' }
}

/** @type {import('./catalog').Scenario} */
module.exports = {
  name: 'slow-clients',
  what: `${CLIENTS} clients that send a byte every ${PAUSE / 1000} s, for ${DURATION / 1000} s, beside honest ones`,
  columns: ['honest p50 ms', 'p99 ms', 'sockets at the end', 'heap and buffers MB', 'RSS MB'],
  rows: ROWS,
  flags: ['--expose-gc'],
  async run (server) {
    await server.connect([{ message: post(records(1024)), expected: { status: 200, body: '' } }], HONEST.connections)
    const slow = await connect(server.port, CLIENTS)
    const body = post(records(DECLARED))
    for (const connection of slow) connection.write(body.subarray(0, SENT))
    let at = SENT
    const timer = setInterval(() => {
      for (const connection of slow) if (!connection.closed) connection.write(body.subarray(at, at + 1))
      at++
    }, PAUSE)
    const { latency } = await server.load({ rate: HONEST.rate, time: DURATION })
    clearInterval(timer)
    await server.disconnect()
    const { connections, buffers, heap, rss } = await collected(server)
    return [latency.p50, latency.p99, connections, (heap + buffers) / MB, rss / MB]
  },
  faultsOf: (figures) => Object.keys(ROWS).slice(0, 2).filter((row) => figures[row][2] > 0)
    .map((row) => `${row}: slow clients still have sockets`)
}
