'use strict'

// npm run bench -- multipart: what forms cost, beside peers.

const { randomBytes } = require('node:crypto')
const os = require('node:os')
const path = require('node:path')
const { temporaryFolder } = require('../../tools/atomic-write')
const { costOf, sendAll } = require('../client')
const { BOUNDARY, KB, MB, bodies, fields, fileOf, typeWith } = require('../forms')
const { inWorker, startServer } = require('../processes')
const { tableOf } = require('../table')
const parsers = require('../ways/parsers')

const STACKS = [
  'node:http alone, joined', 'multer, to memory', 'fast-body-parser, to memory', 'fast-body-parser/multer, to memory',
  'multer, to disk', 'fast-body-parser, to disk', 'fast-body-parser/multer, to disk'
]
const WARM_UP = 300_000 // us of CPU time
// What becomes of freed memory is chance otherwise: 10 MB cost 0 to 4,400 page faults, of 3 us each; and where V8 has
// little more than its own objects, it marks them all for each 16 or 64 MB of bodies, whatever a parser does.
const FLAGS = ['--initial-old-space-size=256'] // MB, before V8 collects for want of room
const STEADY = { MALLOC_TRIM_THRESHOLD_: `${2 ** 30}`, MALLOC_MMAP_THRESHOLD_: `${2 ** 25}` } // bytes
const AFTER_PAUSE = 4 // one unmeasured upload for as many measured ones

/** Name -> body, and uploads in a round: the first ones after a pause take longer. */
const UPLOADS = {
  '100 KB file': [fileOf(randomBytes(100 * KB)), 400],
  '1 MB file': [fileOf(randomBytes(MB)), 240],
  '10 MB file': [fileOf(randomBytes(10 * MB)), 60],
  '20 fields': [fields, 400]
}

async function serve (node, body, amount) {
  const request = { headers: { 'content-type': typeWith(BOUNDARY) }, body }
  const ports = {}
  for (const way of STACKS) {
    const folder = temporaryFolder(path.join(os.tmpdir(), 'bench-multipart'))
    const port = ports[way] = await startServer([node.path, ...FLAGS], ['Express', 'uploads', way, folder], STEADY)
    for (let used = 0; used < WARM_UP;) used += amount * await costOf(port, request, amount, 1)
  }
  return async (way) => {
    await sendAll(ports[way], request, amount / AFTER_PAUSE, 1) // V8 has shrunk the heap while other servers ran
    return costOf(ports[way], request, amount, 1)
  }
}

const multerOf = (way) => way.startsWith('node:http') ? 'multer, to memory' : way.replace(/^[^,]+/, 'multer')

exports.multipart = {
  usage: `What forms cost, beside their peers, in turn: half an hour.

  npm run bench -- multipart --node=24
  npm run bench -- multipart --node=24 --filter="express, 20"

parsers: CPU time of a parser; each figure is that of a fresh process. express: CPU
time of a server of Express, whose memory is kept steady. One that only joins the
same bytes is the lower bound.
`,
  rounds: 15,
  rowsOf: ({ node }) => [
    ...Object.keys(bodies).map((body) => ({
      name: `parsers, ${body}`,
      ways: parsers.names,
      open: () => (parser) => inWorker([node.path], 'parsers', body, parser)
    })),
    ...Object.entries(UPLOADS).map(([name, [body, amount]]) => ({
      name: `express, ${name}`,
      ways: STACKS,
      open: () => serve(node, body, amount)
    }))
  ],
  tablesOf (results) {
    const of = (kind) => Object.fromEntries(Object.entries(results).filter(([name]) => name.startsWith(kind)))
    const perUpload = 'us of CPU time of the server per upload (ratio to multer with the same store)'
    return [
      tableOf('us of CPU time per form (ratio to busboy)', of('parsers'), { peerOf: () => 'busboy' }),
      tableOf(perUpload, of('express'), { peerOf: multerOf })
    ]
  }
}
