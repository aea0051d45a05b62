'use strict'

const { setTimeout: delay } = require('node:timers/promises')
const { serializeRequest } = require('../../../tools/http-message')
const Talk = require('../../../tools/talk')
const { list, MB } = require('../catalog/attack')

const UPLOADS = 2000
const HEAP = 128 // MB
const DATA = 512 // MB
const AT_A_TIME = 100 // connections that are opened
const PATIENCE = 60_000 // ms without a response
const HELD = 10_000 // ms in which the clients send all but their last bytes; those that are paused cannot

const options = { limit: '2mb' }
const budget = { bytes: '64mb' }
const ours = { target: 'fast-body-parser', options }
const ROWS = {
  'fast-body-parser, budget 64mb': { ...ours, budget },
  'the same, wait 10 s': { ...ours, budget: { ...budget, wait: 10_000 } },
  'fast-body-parser': ours,
  'body-parser': { target: 'body-parser', options }
}

const recordOf = (index) => {
  const name = `user ${index}`
  return JSON.stringify({ id: index, name, email: `user${index}@example.com`, active: true, tags: ['a', 'b'] })
}

/** @returns {Promise<(Talk | null)[]>} null for each that the server refuses */
async function connect (port) {
  const connections = []
  while (connections.length < UPLOADS) {
    connections.push(...await Promise.all(Array.from({ length: AT_A_TIME }, () => Talk.open(port).catch(() => null))))
  }
  return connections
}

/** Each client sends all but the last byte of its body, waits for the others, and sends the last one. */
async function run (server) {
  const body = list('[', recordOf, ']')
  const request = serializeRequest({ headers: { 'Content-Type': 'application/json' }, body })
  const connections = await connect(server.port)
  const statuses = { 200: 0, 503: 0, lost: 0 }
  const sent = connections.map((connection) => connection?.write(request.subarray(0, -1)))
  const responses = connections.map((connection) => connection?.responses(1, PATIENCE))
  await Promise.race([Promise.all(sent), delay(HELD)])
  for (const connection of connections) connection?.write(request.subarray(-1))
  for (const list of await Promise.all(responses)) statuses[list?.[0]?.status ?? 'lost']++
  const { peak = 0, used = null, mostUsed = 0 } = await server.ask('sample').catch(() => ({}))
  return [
    peak > 0 ? 'survives' : 'dies', statuses[200], statuses[503], statuses.lost, peak / MB, mostUsed / MB, used ?? ''
  ]
}

/** @type {import('./index').Scenario} */
module.exports = {
  name: 'budget',
  what: `${UPLOADS} uploads of 1 MB at once, --max-old-space-size=${HEAP}, and ${DATA} MB of memory`,
  columns: ['server', '200', '503', 'no answer', 'peak RSS MB', 'most used MB', 'used at the end'],
  rows: ROWS,
  flags: [`--max-old-space-size=${HEAP}`],
  // A container's bound is that of its cgroup, which needs a manager of cgroups. `prlimit --data` is enforced by the
  // kernel as well: it refuses to map more memory.
  before: ['prlimit', `--data=${DATA * MB}`],
  run,
  faultsOf (row, [server, accepted, , lost, , , used]) {
    if (ROWS[row].budget === undefined) return [] // it may die
    return [
      server !== 'survives' && 'the server dies',
      accepted === 0 && 'no upload is accepted',
      lost > 0 && 'there are clients without an answer',
      used !== 0 && 'the budget does not end at 0'
    ]
  }
}
