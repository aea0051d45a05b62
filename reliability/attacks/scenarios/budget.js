'use strict'

const { setTimeout: delay } = require('node:timers/promises')
const RawConnection = require('../../../tools/raw-connection')
const { MB } = require('../catalog/fill')
const { post, records } = require('./bodies')
const withProcesses = require('./processes')

const UPLOADS = 2000
const SIZE = MB
const HEAP = 128 // MB
const DATA = 512 // MB
const AT_A_TIME = 100 // connections that are opened
const PATIENCE = 60_000 // ms without a response
const HELD = 10_000 // ms in which the clients send all but their last bytes; those that are paused cannot
const FLAGS = [`--max-old-space-size=${HEAP}`]

// A container's bound is that of its cgroup, which needs a manager of cgroups.
// `prlimit --data` is enforced by the kernel as well: it refuses memory beyond.
const BOUND = ['prlimit', `--data=${DATA * MB}`]

const BUDGET = { budget: { bytes: '64mb' } }
const WAITING = { budget: { bytes: '64mb', wait: 10_000 } }

const ROWS = {
  'fast-body-parser, budget 64mb': { target: 'fast-body-parser', ...BUDGET },
  'the same, wait 10 s': { target: 'fast-body-parser', ...WAITING },
  'fast-body-parser': { target: 'fast-body-parser' },
  'body-parser': { target: 'body-parser' }
}

/** Each client sends all but the last byte of its body, waits for the others, and sends the last one. */
function budget (name, what, before) {
  return {
    name: `budget-${name}`,
    what: `${UPLOADS} uploads of 1 MB at once, --max-old-space-size=${HEAP}${what}`,
    columns: ['server', '200', '503', 'no answer', 'peak RSS MB', 'most used MB', 'used at the end'],
    rows: Object.keys(ROWS),
    measure: (row, settings) => withProcesses((processes) => measure(processes, { ...ROWS[row], package: settings.parser }, before)),
    faultsOf: (figures) => Object.keys(ROWS).slice(0, 2).flatMap((row) => {
      const [server, accepted, , lost, , , used] = figures[row]
      return [
        ...server !== 'survives' ? [`${row}: the server dies`] : [],
        ...accepted === 0 ? [`${row}: no upload is accepted`] : [],
        ...lost > 0 ? [`${row}: there are clients without an answer`] : [],
        ...used !== 0 ? [`${row}: the budget does not end at 0`] : []
      ]
    })
  }
}

async function measure (processes, settings, before) {
  const server = await processes.serve({ ...settings, parser: 'json', options: { limit: '2mb' } }, { flags: FLAGS, before })
  const request = post(records(SIZE))
  const connections = []
  const statuses = { 200: 0, 503: 0, lost: 0 }
  while (connections.length < UPLOADS) {
    const opened = await Promise.allSettled(Array.from({ length: AT_A_TIME }, () => RawConnection.open(server.port)))
    connections.push(...opened.map(({ value }) => value ?? null))
  }
  const sent = connections.map((connection) => connection?.write(request.subarray(0, -1)))
  const responses = connections.map((connection) => connection?.responses(1, PATIENCE))
  await Promise.race([Promise.all(sent), delay(HELD)])
  for (const connection of connections) connection?.write(request.subarray(-1))
  for (const list of await Promise.all(responses)) statuses[list?.[0]?.status ?? 'lost']++
  for (const connection of connections) connection?.close()
  const { peak = 0, used = null, mostUsed = 0 } = await server.ask('sample').catch(() => ({}))
  return [peak > 0 ? 'survives' : 'dies', statuses[200], statuses[503], statuses.lost, peak / MB, mostUsed / MB, used ?? '']
}

module.exports = [
  budget('heap', '', []),
  budget('memory', `, and ${DATA} MB of memory`, BOUND)
]
