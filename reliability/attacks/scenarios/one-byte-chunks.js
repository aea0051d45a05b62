'use strict'

const { setTimeout: delay } = require('node:timers/promises')
const { messageOf, toChunks } = require('../../../tools/http-message')
const { MB } = require('../catalog/fill')
const { collected, connect } = require('./clients')

const CLIENTS = 500
const CHUNKS = 1020 // of each client, which then stays
const SLACK = 8 // MB

/** @type {import('./catalog').Scenario} */
module.exports = {
  name: 'one-byte-chunks',
  what: `${CLIENTS} clients that send ${CHUNKS} chunks of a byte, and stay`,
  columns: ['MB that the budget counts', 'MB of heap and buffers for the chunks'],
  rows: {
    'fast-body-parser, budget': { target: 'fast-body-parser', budget: { bytes: '64mb' } },
    'fast-body-parser': { target: 'fast-body-parser' },
    'body-parser': { target: 'body-parser' }
  },
  flags: ['--expose-gc'],
  async run (server) {
    const clients = await connect(server.port, CLIENTS)
    const { head } = messageOf({ headers: { 'Content-Type': 'application/json' }, chunked: true })
    for (const client of clients) await client.write(head)
    const before = await arrived(server)
    for (const client of clients) await client.write(toChunks(Buffer.alloc(CHUNKS, '1'), 1))
    await delay(500)
    const after = await arrived(server)
    return [(after.used ?? 0) / MB, (after.heap + after.buffers - before.heap - before.buffers) / MB]
  },
  faultsOf ({
    'fast-body-parser': [, ours],
    'fast-body-parser, budget': [counted, guarded],
    'body-parser': [, theirs]
  }) {
    return [
      ours > theirs * 1.25 + SLACK && 'small chunks take more memory than with body-parser',
      guarded > counted * 1.5 + SLACK && 'they take more memory than the budget counts'
    ]
  }
}

/** Waits for collections, and so until the server has read what was sent. */
const arrived = (server) => collected(server).then(() => collected(server))
