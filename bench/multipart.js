'use strict'

// npm run bench -- multipart: what uploads cost, beside their peers.

const { randomBytes } = require('node:crypto')
const os = require('node:os')
const path = require('node:path')
const { temporaryFolder } = require('../tools/atomic-write')
const { withLab } = require('../tools/lab')
const { median } = require('../tools/statistics')
const { alternate, inProcess } = require('./measure/alternate')
const { stacks } = require('./multipart/app')
const { BOUNDARY, KB, MB, bodies, fields, fileOf, typeWith } = require('./multipart/bodies')
const parsers = require('./multipart/worker')
const benchCommand = require('./suite/command')
const medianTable = require('./suite/median-table')

const APP = require.resolve('./multipart/app')
const WORKER = require.resolve('./multipart/worker')
const UPLOADS = 50 // at a time
const NAMES = Object.keys(stacks)
/** multer 3.0.0-alpha.2 answers CLIENT_ABORTED to whole files that it still writes: from 100 KB on, or 1 MB. */
const refusesFiles = (name) => name.startsWith('multer 3')
const UPLOADERS = ['discard', ...NAMES.filter((name) => name.endsWith(', disk') && !refusesFiles(name))]
const WARM_UP = 300 // ms of CPU time
// What becomes of freed memory is chance otherwise: 10 MB cost 0 to 4,400 page faults, of 3 us each; and where V8 has
// little more than its own objects, it marks them all for each 16 or 64 MB of bodies, whatever a parser does.
const STEADY = {
  flags: ['--initial-old-space-size=256'], // MB, before V8 collects for want of room
  env: { MALLOC_TRIM_THRESHOLD_: `${2 ** 30}`, MALLOC_MMAP_THRESHOLD_: `${2 ** 25}` } // bytes; glibc keeps as much
}
const AFTER_PAUSE = 4 // one unmeasured upload for as many measured ones

/** [name, body, uploads in a round: the first ones after a pause take longer] */
const expressRows = [
  ['100 KB file', fileOf(randomBytes(100 * KB)), 400],
  ['1 MB file', fileOf(randomBytes(MB)), 240],
  ['10 MB file', fileOf(randomBytes(10 * MB)), 60],
  ['20 fields', fields, 400]
]

benchCommand({
  usage: `What uploads cost, beside their peers, in turn: half an hour.

  npm run bench -- multipart --node=24
  npm run bench -- multipart --node=24 --filter="express, 20"

parsers: CPU time of a parser; each figure is that of a fresh process. express: CPU
time of a server with the whole stack, whose memory is kept steady. memory: peak of
${UPLOADS} uploads of 20 MB to a server. One that only discards, joins or writes the same
bytes is the lower bound.
`,
  rounds: 15,
  stepsOf: ({ rounds, node }) => [
    ...Object.keys(bodies).map((body) => ({
      name: `parsers, ${body}`,
      take: () => alternate(parsers, rounds, (parser) => inProcess([node.path, WORKER, parser, body]))
    })),
    ...expressRows.map((row) => ({ name: `express, ${row[0]}`, take: () => inExpress(row, rounds, node) })),
    { name: 'memory', take: () => inMemory(rounds, node) }
  ],
  tablesOf
})

function start (lab, stack, node, more) {
  const folder = temporaryFolder(path.join(os.tmpdir(), 'bench-multipart'))
  return lab.start({ name: stack, app: APP, settings: { stack, folder }, node: node.path, ...more })
}

function uploadOf (body) {
  const headers = { 'content-type': typeWith(BOUNDARY) }
  return [{ method: 'POST', headers, body, expected: { status: 200, body: '' } }]
}

function inExpress ([what, body, amount], rounds, node) {
  const isRefused = (name) => what.endsWith('file') && refusesFiles(name)
  return withLab(async (lab) => {
    const servers = {}
    for (const name of NAMES.filter((name) => !isRefused(name))) {
      servers[name] = await start(lab, name, node, STEADY)
      await servers[name].connect(uploadOf(body), 1)
      await servers[name].warmUp(WARM_UP, amount)
    }
    return alternate(NAMES, rounds, async (name) => {
      if (isRefused(name)) return null
      await servers[name].load({ amount: amount / AFTER_PAUSE }) // V8 has shrunk the heap while other servers ran
      return (await servers[name].load({ amount })).cpu
    })
  })
}

function inMemory (rounds, node) {
  const upload = uploadOf(fileOf(randomBytes(20 * MB)))
  return withLab((lab) => alternate(UPLOADERS, rounds, async (name) => {
    const server = await start(lab, name, node)
    const idle = await peakOf(server)
    await server.connect(upload, UPLOADS)
    await server.load({ amount: UPLOADS })
    const peak = await peakOf(server)
    await lab.stopServers()
    return (peak - idle) / MB
  }))
}

async function peakOf (server) {
  await server.ask('watch')
  return (await server.ask('figures')).rss
}

const multerOf = (name) => name === 'join' ? 'multer, memory' : name.replace(/^[^,]+/, 'multer')

/** What a parser adds. */
function aboveFloor ([step, samples]) {
  const above = (name) => {
    const isWritten = name.endsWith('disk') && step.endsWith('file') // fields stay in memory
    const floor = median(samples[isWritten ? 'write' : 'join'])
    return samples[name].map((sample) => sample === null ? null : sample - floor)
  }
  const parsers = NAMES.filter((name) => name.includes(','))
  return [step, Object.fromEntries(parsers.map((name) => [name, above(name)]))]
}

function tablesOf (results) {
  const steps = (name) => Object.entries(results).filter(([step]) => step.startsWith(name))
  return [
    medianTable('us of CPU time per form (ratio to busboy)', steps('parsers'), () => 'busboy'),
    medianTable('us of CPU time of the server per upload (ratio to multer with the same store)', steps('express'),
      multerOf),
    medianTable('us above a server that joins, or writes, the same bytes (ratio to multer with the same store)',
      steps('express').map(aboveFloor), multerOf),
    medianTable('MB of peak memory above idle', steps('memory'))
  ]
}
