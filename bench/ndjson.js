'use strict'

// CPU time of 200,000 records of 164 B in chunks of 64 KB, beside split2: in a
// process for each sample, in turn. node bench/ndjson.js [rounds]

const { execFileSync } = require('node:child_process')
const { Readable } = require('node:stream')
const { ndjson } = require('..')
const { median } = require('../tools/statistics')
const textTable = require('../tools/text-table')

const CHUNK = 64 * 1024 // bytes
const COUNT = 200_000
const headers = { 'content-type': 'application/x-ndjson', 'transfer-encoding': 'chunked' }
const recordOf = (id) => JSON.stringify({ id, name: `user ${id}`, email: `user${id}@example.com`, tags: ['a', 'b', 'c'], address: { street: `Main street ${id}`, city: 'Springfield', zip: '12345' } }) + '\n'

function * chunksOf (bytes) {
  for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK)
}

const streamOf = (bytes) => Readable.from(chunksOf(bytes), { objectMode: false, highWaterMark: CHUNK })
const recordsOf = (bytes) => ndjson().read(Object.assign(streamOf(bytes), { headers }), {})
const split = (bytes) => streamOf(bytes).pipe(require('split2')(JSON.parse))
const ways = { 'split2, for await': split, 'split2, on data': split, 'ours, records': recordsOf, 'ours, batches of 500': async (bytes) => (await recordsOf(bytes)).batches(500) }

/** MB per second of CPU time: the best of eight times, as other processes share the cores. */
async function sample (way) {
  const bytes = Buffer.from(Array.from({ length: COUNT }, (_, id) => recordOf(id)).join(''))
  let best = 0
  for (let time = 1; time <= 8; time++) {
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

function compare (rounds) {
  const seen = Object.fromEntries(Object.keys(ways).map((way) => [way, []]))
  for (let round = 0; round < rounds; round++) {
    for (const [way, speeds] of Object.entries(seen)) speeds.push(Number(execFileSync(process.execPath, [__filename, way], { encoding: 'utf8' })))
  }
  const base = median(seen['split2, for await'])
  console.log(textTable(['', 'MB/s', 'throughput'], Object.entries(seen).map(([way, speeds]) => [way, median(speeds).toFixed(0), (median(speeds) / base).toFixed(2)])))
}

const [argument = '5'] = process.argv.slice(2)
if (argument in ways) sample(argument)
else compare(Number(argument))
