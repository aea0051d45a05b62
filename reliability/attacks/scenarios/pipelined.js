'use strict'

const { setTimeout: delay } = require('node:timers/promises')
const { MB } = require('../catalog/fill')
const Talk = require('../../../tools/talk')
const { post, records } = require('./clients')

const COUNT = 150
const OURS = 'fast-body-parser, cooperative'
const TIMEOUT = 60_000 // ms without a response
const LOOK = 20 // ms between two samples
const options = { limit: '2mb' }

/** @type {import('./catalog').Scenario} */
module.exports = {
  name: 'cooperative-pipelined',
  what: `one connection that pipelines ${COUNT} bodies of 1 MB`,
  columns: ['most pending', 'peak buffers MB', 'peak RSS above idle MB'],
  rows: Object.fromEntries(['fast-body-parser', OURS, 'body-parser'].map((target) => [target, { target, options }])),
  async run (server) {
    const { rss } = await server.ask('sample')
    const sending = pipeline(server.port).then(() => 'over')
    let most = 0 // bytes of buffers
    while (await Promise.race([sending, delay(LOOK)]) !== 'over') {
      most = Math.max(most, (await server.ask('sample')).buffers)
    }
    const { mostPending, peak } = await server.ask('sample')
    return [mostPending, most / MB, (peak - rss) / MB]
  },
  faultsOf: ({ [OURS]: [pending] }) => pending > 2 ? ['more than two are pending'] : []
}

async function pipeline (port) {
  const request = post(records(MB))
  const connection = await Talk.open(port)
  const responses = connection.responses(COUNT, TIMEOUT)
  for (let i = 0; i < COUNT; i++) await connection.write(request)
  const { length } = await responses
  if (length !== COUNT) throw new Error(`${COUNT} requests had ${length} responses`)
}
