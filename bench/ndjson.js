'use strict'

// What records cost, beside split2, and how much memory a slow loop takes:
//
//   node bench/ndjson.js [speed [rounds]|memory [MB [MB per second]]]
//
// speed: CPU time of 200,000 records of 164 B in chunks of 64 KB, measured
// alternately; memory: RSS of a server, each second, as one request is read.

const { fork } = require('node:child_process')
const http = require('node:http')
const { Readable } = require('node:stream')
const { setTimeout: delay } = require('node:timers/promises')
const { ndjson } = require('..')
const { median } = require('../tools/statistics')
const textTable = require('../tools/text-table')

const CHUNK = 64 * 1024 // bytes
const COUNT = 200_000
const LENGTH = 157 // bytes of a record, about
const headers = { 'content-type': 'application/x-ndjson', 'transfer-encoding': 'chunked' }
const recordOf = (id) => JSON.stringify({ id, name: `user ${id}`, email: `user${id}@example.com`, tags: ['a', 'b', 'c'], address: { street: `Main street ${id}`, city: 'Springfield', zip: '12345' } }) + '\n'
const parser = ndjson({ limit: '100gb', max: Infinity })

async function * chunksOf (bytes, times = 1) {
  for (; times > 0; times--) for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK)
}

async function speed ([rounds = 15]) {
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

async function memory ([size = 1000, rate = 5]) {
  const server = fork(__filename, ['server', String(rate)])
  const [port, idle] = await new Promise((resolve) => server.once('message', resolve))
  server.on('message', (rss) => console.log(((rss - idle) / 1e6).toFixed(1)))
  const bytes = Buffer.from(Array.from({ length: 6000 }, (_, id) => recordOf(id)).join(''))
  Readable.from(chunksOf(bytes, size * 1e6 / bytes.length)).pipe(http.request({ port, method: 'POST', headers }, () => server.kill()))
}

function serve ([rate]) {
  let read = 0
  const server = http.createServer((req, res) => parser(req, res, async () => {
    const begin = performance.now()
    const timer = setInterval(() => process.send(process.memoryUsage().rss), 1000)
    for await (const records of req.body.batches(500)) {
      read += records.length * LENGTH
      await delay(Math.max(0, read / rate / 1000 - (performance.now() - begin)))
    }
    clearInterval(timer)
    res.end()
  })).listen(0, () => process.send([server.address().port, process.memoryUsage().rss]))
}

const [mode = 'speed', ...rest] = process.argv.slice(2)
const modes = { speed, memory, server: serve }
modes[mode](rest.map(Number))
