'use strict'

// npm run bench -- large-bodies: the memory and the time that one large body of records takes.

const { fork } = require('node:child_process')
const { once } = require('node:events')
const http = require('node:http')
const os = require('node:os')
const path = require('node:path')
const { temporaryFolder } = require('../tools/atomic-write')
const { recordOf } = require('../tools/record')
const { median } = require('../tools/statistics')
const UserError = require('../tools/user-error')
const ways = require('./large-bodies/ways')
const benchCommand = require('./suite/command')

const SERVER = require.resolve('./large-bodies/server')
const RECORD = JSON.stringify(recordOf(413))
const MB = 1e6
const SOME = 150 // records that are written together
const WARM = 0.1 // MB, before the memory is that of an idle server

benchCommand({
  usage: `What one body of records of ${RECORD.length} B takes that an Express app reads: peak memory above
that of the idle server, and CPU time. Six minutes, one without bodies of 1 GB.

  npm run bench -- large-bodies --node=24
  npm run bench -- large-bodies --node=24 --filter=" 100 MB"
`,
  rounds: 3,
  stepsOf: ({ node, rounds }) => Object.entries(ways).flatMap(([way, { sizes }]) => sizes.map((size) => ({
    name: `${way}, ${size} MB`,
    take: () => repeat(rounds, () => measure(node, way, size))
  }))),
  tablesOf (results) {
    const rows = Object.entries(results).map(([name, samples]) => {
      const of = (key) => samples.map((sample) => sample[key])
      const memory = of('memory').map((bytes) => Math.round(bytes / MB))
      return [name, Math.round(median(memory)), `${Math.min(...memory)}-${Math.max(...memory)}`,
        (Math.min(...of('cpu')) / 1e6).toFixed(2)]
    })
    return [{ title: 'One body', head: ['', 'MB above idle', 'least-most', 'least s of CPU time'], rows }]
  }
})

async function repeat (rounds, take) {
  const samples = []
  for (let round = 0; round < rounds; round++) samples.push(await take())
  return samples
}

/** @returns {Promise<{ memory: number, cpu: number }>} bytes above those of the idle server; us */
async function measure (node, way, size) {
  const DATABASE = path.join(temporaryFolder(path.join(os.tmpdir(), 'bench-bodies')), 'database') // of the example
  const how = { env: { ...process.env, DATABASE }, execArgv: ['--no-warnings'], execPath: node.path }
  const child = fork(SERVER, [way], how)
  try {
    const [{ port }] = await once(child, 'message')
    await send(port, ways[way], `${ways[way].url}0`, WARM * MB)
    const before = await usageOf(child)
    await send(port, ways[way], ways[way].url, size * MB)
    const after = await usageOf(child)
    return { memory: after.peak - before.now, cpu: after.cpu - before.cpu }
  } finally {
    child.kill()
  }
}

async function usageOf (child) {
  child.send('usage')
  return (await once(child, 'message'))[0]
}

/** As fast as the server takes it. */
async function send (port, { format: { head, separator, tail, type } }, url, bytes) {
  const amount = Math.floor(bytes / (RECORD.length + 1) / SOME) * SOME
  const rest = Buffer.from((separator + RECORD).repeat(SOME))
  const first = Buffer.from(head + rest.toString().slice(1))
  const end = Buffer.from(tail)
  const length = first.length + rest.length * (amount / SOME - 1) + end.length
  const headers = { 'content-type': type, 'content-length': length }
  const req = http.request({ host: '127.0.0.1', port, path: url, method: 'PUT', headers, agent: false })
  const answered = once(req, 'response')
  for (let sent = 0; sent < amount; sent += SOME) {
    if (!req.write(sent === 0 ? first : rest)) await once(req, 'drain')
  }
  req.end(end)
  const [res] = await answered
  const text = await new Response(res).text()
  if (JSON.parse(text).items !== amount) throw new UserError(`a body was refused: ${text}`)
}
