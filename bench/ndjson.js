'use strict'

// CPU time of 200,000 records of 164 B in chunks of 64 KB, beside split2,
// measured alternately: node bench/ndjson.js [rounds]

const { Readable } = require('node:stream')
const { ndjson } = require('..')
const { median } = require('../tools/statistics')
const textTable = require('../tools/text-table')

const CHUNK = 64 * 1024 // bytes
const COUNT = 200_000
const headers = { 'content-type': 'application/x-ndjson', 'transfer-encoding': 'chunked' }
const recordOf = (id) => JSON.stringify({ id, name: `user ${id}`, email: `user${id}@example.com`, tags: ['a', 'b', 'c'], address: { street: `Main street ${id}`, city: 'Springfield', zip: '12345' } }) + '\n'
const parser = ndjson()

function * chunksOf (bytes) {
  for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK)
}

async function speed (rounds) {
  const split = require('split2')
  const bytes = Buffer.from(Array.from({ length: COUNT }, (_, id) => recordOf(id)).join(''))
  const stream = () => Readable.from(chunksOf(bytes), { objectMode: false, highWaterMark: CHUNK })
  const records = () => parser.read(Object.assign(stream(), { headers }), {})
  const ways = { 'split2, for await': () => stream().pipe(split(JSON.parse)), 'split2, on data': () => stream().pipe(split(JSON.parse)), 'ours, records': records, 'ours, batches of 500': async () => (await records()).batches(500) }
  const times = Object.fromEntries(Object.keys(ways).map((way) => [way, []]))
  for (let round = -1; round < rounds; round++) {
    for (const [way, read] of Object.entries(ways)) {
      const begin = process.cpuUsage()
      const source = await read()
      let count = 0
      if (way.endsWith('data')) await new Promise((resolve) => source.on('data', () => count++).on('end', resolve))
      else for await (const item of source) count += item.length ?? 1
      if (count !== COUNT) throw new Error(`${way}: ${count} records`)
      if (round >= 0) times[way].push(process.cpuUsage(begin).user / 1e6)
    }
  }
  const [base] = Object.values(times).map(median)
  console.log(textTable(['', 'MB/s', 'throughput'], Object.entries(times).map(([way, seconds]) => [way, (bytes.length / 1e6 / median(seconds)).toFixed(0), (base / median(seconds)).toFixed(2)])))
}

speed(Number(process.argv[2] ?? 15))
