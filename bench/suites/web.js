'use strict'

// npm run bench -- web, or web-forms: bodies of Requests, by runtime.

const zlib = require('node:zlib')
const { costOf } = require('../client')
const { inWorker, runtimes, startServer } = require('../processes')
const { json } = require('../rows/bodies')
const { lowest, tableOf } = require('../table')

const SIZES = { '300 B': 300, '6.5 KB': 6500, '208 KB': 208_000 } // bytes
const CHUNK = 16 * 1024 // bytes
const FIELDS = 5
const WARM = 4 // samples, as Deno's engine goes on compiling for 12,000 requests
const CONNECTIONS = 16

/** Server -> its runtime. */
const SERVERS = { Hono: 'Node', srvx: 'Node', Bun: 'Bun', Deno: 'Deno' }
/** Framing -> what ours is measured beside: a way of ways/bodies.js. */
const PEERS = { plain: 'native', chunked: 'byHand', gzip: 'byHand' }

/** Kind -> type and bytes of about that size. */
const BODIES = {
  json: (size) => ['application/json', json(size).bytes],
  urlencoded: (size) => ['application/x-www-form-urlencoded', Buffer.from(fieldsOf(size).join('&'))],
  text: (size) => ['text/plain', Buffer.alloc(size, 'Zoë and others. ')],
  raw: (size) => ['application/octet-stream', Buffer.alloc(size, 0xA5)]
}

const fieldsOf = (size) => Array.from({ length: FIELDS }, (_, n) => `field${n}=`.padEnd(size / FIELDS, 'value+'))

/** Fewer of large bodies, as a sample is to take about as long. */
const amountOf = (size) => Math.round(3000 / (1 + size / 10_000))

function requestOf (kind, framing, size) {
  const [type, body] = BODIES[kind](size)
  const headers = { 'Content-Type': type }
  if (framing === 'gzip') return { headers: { ...headers, 'Content-Encoding': framing }, body: zlib.gzipSync(body) }
  return { headers, body, chunks: framing === 'chunked' ? Math.ceil(size / CHUNK) : undefined }
}

async function serve (server, kind, ways, request, amount, node) {
  const command = await runtimes[SERVERS[server]](node)
  const ports = {}
  const take = (way) => costOf(ports[way], request, amount, CONNECTIONS)
  for (const way of ways) {
    ports[way] = await startServer(command, [server, 'bodies', `${way} ${kind}`])
    for (let sample = 0; sample < WARM; sample++) await take(way)
  }
  return take
}

/** All kinds by the short way, and JSON by the long ways as well. */
function rowsOf ({ node }) {
  const rows = []
  for (const server of Object.keys(SERVERS)) {
    for (const framing of Object.keys(PEERS)) {
      for (const kind of framing === 'plain' ? Object.keys(BODIES) : ['json']) {
        for (const [sizeName, size] of Object.entries(SIZES)) {
          const byHand = framing === 'plain' && kind === 'json' ? ['byText', 'checked'] : []
          const ways = [PEERS[framing], ...byHand, 'ours']
          const open = () => serve(server, kind, ways, requestOf(kind, framing, size), amountOf(size), node)
          rows.push({ name: `${server}, ${kind}, ${framing}, ${sizeName}`, ways, open })
        }
      }
    }
  }
  return rows
}

exports.web = {
  usage: `Bodies of Requests in servers of the Fetch standard: a quarter of an hour.

  npm run bench -- web --node=24
`,
  rounds: 10,
  rowsOf,
  tablesOf: (results) => ['native', 'byHand'].map((peer) => {
    const rows = Object.fromEntries(Object.entries(results).filter(([, row]) => peer in row))
    const title = `lowest us of CPU time for a request (ratio to ${peer})`
    return tableOf(title, rows, { figureOf: lowest, peerOf: () => peer })
  })
}

const PEER = '@remix-run/multipart-parser'

exports['web-forms'] = {
  usage: `What a form of a Request costs in each runtime, beside peers, in turn: five minutes.

  npm run bench -- web-forms --node=24

CPU time of a parser, with the runtime's own threads; each figure is that of a fresh process.
`,
  rounds: 7,
  rowsOf: ({ node }) => Object.keys(runtimes).flatMap((runtime) => ['20 fields', '10 MB file'].map((form) => ({
    name: `${runtime}, ${form}`,
    ways: ['memory', 'a store that discards', PEER, 'formData()'],
    async open () {
      const command = await runtimes[runtime](node)
      return (way) => inWorker(command, 'forms', form, way)
    }
  }))),
  tablesOf: (results) => [
    tableOf(`lowest us of CPU time for a form (ratio to ${PEER})`, results, { figureOf: lowest, peerOf: () => PEER })
  ]
}
