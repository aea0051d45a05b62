'use strict'

const { setTimeout: delay } = require('node:timers/promises')
const RawConnection = require('../../../tools/raw-connection')
const { quantile } = require('../../../tools/statistics')
const { sendAtRate } = require('../client')
const { MB } = require('../catalog/fill')
const { post, records } = require('./bodies')
const withProcesses = require('./processes')

const CLIENTS = 5000
const AT_A_TIME = 250 // connections that are opened
const DECLARED = 50 * 1024 // bytes, of which they send
const SENT = 4 * 1024 // at once, and then
const PAUSE = 2000 // ms between two bytes
const DURATION = 9000 // ms: more than the grace of `minRate`
const HONEST = 100 // requests per second
const PATIENCE = 20_000 // ms

const ROWS = {
  'fast-body-parser, timeout 4 s': { target: 'fast-body-parser', options: { timeout: 4000 } },
  'fast-body-parser, minRate 4kb': { target: 'fast-body-parser', options: { minRate: '4kb' } },
  'fast-body-parser': { target: 'fast-body-parser', options: {} },
  'body-parser': { target: 'body-parser', options: {} }
}

/** @type {import('./catalog').Scenario} */
module.exports = {
  name: 'slow-clients',
  what: `${CLIENTS} clients that send a byte every ${PAUSE / 1000} s, for ${DURATION / 1000} s, beside honest ones`,
  columns: ['honest p50 ms', 'p99 ms', 'sockets at the end', 'heap and buffers MB', 'RSS MB'],
  rows: Object.keys(ROWS),
  measure: (row, { parser }) => withProcesses(async (processes) => {
    const { target, options } = ROWS[row]
    const server = await processes.serve({ target, package: parser, parser: 'json', options }, { flags: ['--expose-gc'] })
    const slow = await connect(server.port)
    const body = post(records(DECLARED))
    for (const connection of slow) connection.write(body.subarray(0, SENT))
    let at = SENT
    const timer = setInterval(() => {
      for (const connection of slow) {
        if (!connection.closed) connection.write(body.subarray(at, at + 1))
      }
      at++
    }, PAUSE)
    const request = post(records(1024))
    const { latencies, outcomes } = await sendAtRate(server.port, exchange(request), HONEST, DURATION)
    clearInterval(timer)
    await server.ask('collect')
    const { connections, buffers, heap, rss } = await server.ask('sample')
    for (const connection of slow) connection.close()
    if (Object.keys(outcomes).join() !== '200') throw new Error(`honest requests were answered with ${JSON.stringify(outcomes)}`)
    const sorted = latencies.sort((a, b) => a - b)
    return [quantile(sorted, 0.5), quantile(sorted, 0.99), connections, (heap + buffers) / MB, rss / MB]
  }),
  faultsOf: (figures) => Object.keys(ROWS).slice(0, 2).flatMap((row) => figures[row][2] > 0 ? [`${row}: slow clients still have sockets`] : [])
}

async function connect (port) {
  const connections = []
  while (connections.length < CLIENTS) {
    connections.push(...await Promise.all(Array.from({ length: AT_A_TIME }, () => RawConnection.open(port))))
    await delay(1)
  }
  return connections
}

const exchange = (request) => async (connection) => {
  const responses = connection.responses(1, PATIENCE)
  connection.write(request)
  const [response] = await responses
  return String(response?.status)
}
