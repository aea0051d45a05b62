'use strict'

// A process for one way to read records: prints MB per second of CPU time.

const { Readable } = require('node:stream')
const { ndjson } = require('../..')

const CHUNK = 64 * 1024 // bytes
const COUNT = 200_000 // records
const TIMES = 8
const headers = { 'content-type': 'application/x-ndjson', 'transfer-encoding': 'chunked' }

function recordOf (id) {
  const address = { street: `Main street ${id}`, city: 'Springfield', zip: '12345' }
  const email = `user${id}@example.com`
  return JSON.stringify({ id, name: `user ${id}`, email, tags: ['a', 'b', 'c'], address }) + '\n'
}

function * chunksOf (bytes) {
  for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK)
}

const streamOf = (bytes) => Readable.from(chunksOf(bytes), { objectMode: false, highWaterMark: CHUNK })
const recordsOf = (bytes) => ndjson().read(Object.assign(streamOf(bytes), { headers }), {})
const split = (bytes) => streamOf(bytes).pipe(require('split2')(JSON.parse))

const ways = {
  'split2, for await': split,
  'split2, on data': split,
  'ours, records': recordsOf,
  'ours, batches of 500': async (bytes) => (await recordsOf(bytes)).batches(500)
}

/** The best of several times, as other processes share the cores. */
async function main (way) {
  const bytes = Buffer.from(Array.from({ length: COUNT }, (_, id) => recordOf(id)).join(''))
  let best = 0
  for (let time = 0; time < TIMES; time++) {
    const begin = process.cpuUsage()
    const source = await ways[way](bytes)
    let count = 0
    if (way.endsWith('data')) await new Promise((resolve) => source.on('data', () => count++).on('end', resolve))
    else for await (const item of source) count += item.length ?? 1
    if (count !== COUNT) throw new Error(`${way}: ${count} records`)
    best = Math.max(best, bytes.length / process.cpuUsage(begin).user)
  }
  console.log(best)
}

if (require.main === module) main(process.argv[2])

module.exports = Object.keys(ways)
