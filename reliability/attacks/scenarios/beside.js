'use strict'

const { setTimeout: delay } = require('node:timers/promises')
const RawConnection = require('../../../tools/raw-connection')
const { median } = require('../../../tools/statistics')
const { post, records } = require('./bodies')
const withProcesses = require('./processes')

const HONEST = 300 * 1024 // bytes
const CROWDS = [0, 4, 20]
const TARGETS = ['fast-body-parser', 'fast-body-parser, cooperative', 'body-parser']
const LIMIT = '2mb'
const FILL = 500 // ms in which the hostile bodies arrive
const DURATION = 2500 // ms for each crowd
const MOST = 100 // honest requests
const PATIENCE = 5000 // ms; a client that has waited as long leaves
const NOISE = 3 // ms

/** Honest bodies of 300 KB, one after the other, beside hostile clients. */
function beside (kind, what) {
  return {
    name: `large-beside-${kind}`,
    what: `300 KB of records, while others send 1 MB of ${what} each (${PATIENCE}: or longer)`,
    columns: CROWDS.map((count) => `p50 ms beside ${count}`),
    rows: TARGETS,
    measure: (target, settings) => withProcesses(async (processes) => {
      const server = await processes.serve({ target, package: settings.parser, parser: 'json', options: { limit: LIMIT } })
      const hostile = await processes.run('clients.js', { kind })
      const cells = []
      for (const count of [0, ...CROWDS]) { // the first one to warm up
        await hostile.ask('begin', { port: server.port, count })
        if (count > 0) await delay(FILL)
        cells.push(median(await latencies(server.port)))
        await hostile.ask('end')
      }
      return cells.slice(1)
    }),
    faultsOf: ({ 'fast-body-parser, cooperative': [alone, , crowd], 'body-parser': [, , theirs] }) => [
      ...crowd > alone * 2 + NOISE ? ['cooperative waits more than 2 times as long as alone'] : [],
      ...crowd > theirs ? ['cooperative waits longer than body-parser'] : []
    ]
  }
}

async function latencies (port) {
  const request = post(records(HONEST))
  const end = performance.now() + DURATION
  const seen = []
  let connection = await RawConnection.open(port)
  while (seen.length === 0 || (seen.length < MOST && performance.now() < end)) {
    const begin = performance.now()
    const responses = connection.responses(1, PATIENCE)
    connection.write(request)
    const [response] = await responses
    seen.push(Math.min(performance.now() - begin, PATIENCE))
    if (response !== undefined) continue
    connection.close()
    connection = await RawConnection.open(port)
  }
  connection.close()
  return seen
}

module.exports = [beside('brackets', 'brackets'), beside('nested', '"[1,"')]
