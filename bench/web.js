'use strict'

// npm run bench -- web: bodies of Requests, beside what each server reads them with.

const path = require('node:path')
const { alternate } = require('./measure/alternate')
const { json } = require('./rows/bodies')
const benchCommand = require('./suite/command')
const medianTable = require('./suite/median-table')
const runtimes = require('./suite/runtimes')
const startServer = require('./suite/start-server')
const { load, requestOf } = require('./web/load')

const SERVER = path.join(__dirname, 'web/server.mjs')
/** Framing -> what ours is measured beside: a way of ./web/server.mjs. */
const PEERS = { plain: 'native', chunked: 'byHand', gzip: 'byHand' }
const SIZES = { '300 B': 300, '6.5 KB': 6500, '208 KB': 208_000 } // bytes
const FIELDS = 5
const WARM = 4 // samples, as Deno's engine goes on compiling for 12,000 requests
const CPU = requestOf()

/** Server -> its runtime. */
const SERVERS = { Hono: 'Node', srvx: 'Node', Bun: 'Bun', Deno: 'Deno', h3: 'Node', Elysia: 'Bun' }
const WITH_READERS = ['h3', 'Elysia'] // frameworks whose own readers are the peer, of JSON and forms

/** Parser -> type and bytes of about that size. */
const BODIES = {
  json: (size) => ['application/json', json(size).bytes],
  urlencoded: (size) => ['application/x-www-form-urlencoded', Buffer.from(fieldsOf(size).join('&'))],
  text: (size) => ['text/plain', Buffer.alloc(size, 'Zoë and others. ')],
  raw: (size) => ['application/octet-stream', Buffer.alloc(size, 0xA5)]
}

const fieldsOf = (size) => Array.from({ length: FIELDS }, (_, n) => `field${n}=`.padEnd(size / FIELDS, 'value+'))

/** Fewer of large bodies, as a sample is to take about as long. */
const amountOf = (size) => Math.round(3000 / (1 + size / 10_000))

/** @returns {Promise<Record<string, number[]>>} µs of CPU time for a request, by way */
async function measure ({ server, parser, framing, size, rounds, node }) {
  const command = [...await runtimes[SERVERS[server]](node), SERVER, server]
  const byHand = framing === 'plain' && parser === 'json' && !WITH_READERS.includes(server)
  const ways = [PEERS[framing], ...byHand ? ['byText', 'checked'] : [], 'ours']
  const request = requestOf(...BODIES[parser](size), framing)
  const servers = {}
  try {
    for (const way of ways) {
      servers[way] = await startServer([...command, way, parser])
      for (let sample = 0; sample < WARM; sample++) await load(servers[way].port, request, amountOf(size))
    }
    return await alternate(ways, rounds, (way) => costOf(servers[way].port, request, amountOf(size)))
  } finally {
    for (const server of Object.values(servers)) await server.close()
  }
}

async function costOf (port, request, amount) {
  const before = await load(port, CPU, 1)
  await load(port, request, amount)
  const after = await load(port, CPU, 1)
  return (after.user + after.system - before.user - before.system) / amount
}

/** All parsers by the short way, and one by the long ways. */
function rowsOf () {
  const rows = []
  for (const server of Object.keys(SERVERS)) {
    const isFramework = WITH_READERS.includes(server)
    for (const framing of isFramework ? ['plain'] : Object.keys(PEERS)) {
      const short = isFramework ? ['json', 'urlencoded'] : Object.keys(BODIES)
      for (const parser of framing === 'plain' ? short : ['json']) {
        for (const [sizeName, size] of Object.entries(SIZES)) {
          rows.push({ name: `${server}, ${parser}, ${framing}, ${sizeName}`, server, parser, framing, size })
        }
      }
    }
  }
  return rows
}

benchCommand({
  usage: 'Bodies of Requests in servers of the Fetch standard: a quarter of an hour.\n\n' +
    '  npm run bench -- web --node=24\n',
  rounds: 10,
  stepsOf: ({ rounds, node }) => rowsOf().map((row) => ({
    name: row.name,
    take: () => measure({ ...row, rounds, node })
  })),
  tablesOf: (results) => ['native', 'byHand'].map((peer) => {
    const rows = Object.entries(results).filter(([, samples]) => peer in samples)
    return medianTable(`lowest µs of CPU time for a request (ratio to ${peer})`, rows, () => peer, medianTable.lowest)
  })
})
