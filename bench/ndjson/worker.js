'use strict'

// A process for one way to read records of one size: prints MB per second of CPU time.

const { Readable } = require('node:stream')
const { ndjson } = require('../..')

const CHUNK = 64 * 1024 // bytes
const TOTAL = 16 * 1024 * 1024 // bytes of all records
const TIMES = 8
const headers = { 'content-type': 'application/x-ndjson', 'transfer-encoding': 'chunked' }

const addressOf = (id) => ({ street: `Main street ${id}`, city: 'Springfield', zip: '12345' })
const itemOf = (id, index) => ({ sku: `A-${index}-${id}`, price: 1.5 * index, text: 'some text', tags: ['x', 'y'] })
const userOf = (id) => ({ id, name: `user ${id}`, email: `user${id}@example.com` })

/** By about as many bytes as each has. */
const RECORDS = {
  50: (id) => ({ id, name: `user ${id}`, ok: true, n: 12 }),
  200: (id) => ({ ...userOf(id), tags: ['a', 'b', 'c'], address: addressOf(id), note: 'some more text' }),
  2000: (id) => ({ ...userOf(id), items: Array.from({ length: 28 }, (_, index) => itemOf(id, index)) })
}

function * chunksOf (bytes) {
  for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK)
}

const streamOf = (bytes) => Readable.from(chunksOf(bytes), { objectMode: false, highWaterMark: CHUNK })
const recordsOf = (bytes) => ndjson().read(Object.assign(streamOf(bytes), { headers }), {})
const split = (bytes) => streamOf(bytes).pipe(require('split2')(JSON.parse))

/** Each returns the number of records. */
const ways = {
  'split2, for await': async (bytes) => countOf(split(bytes)),
  'split2, on data': (bytes) => new Promise((resolve) => {
    let count = 0
    split(bytes).on('data', () => count++).on('end', () => resolve(count))
  }),
  'ours, records': async (bytes) => countOf(await recordsOf(bytes)),
  'ours, batches of 500': async (bytes) => countOf((await recordsOf(bytes)).batches(500)),
  'JSON.parse, a promise each': (bytes) => countOf(promised(bytes)), // what no loop over records can do without
  'JSON.parse alone': (bytes) => {
    let count = 0
    for (const value of parsed(bytes)) if (value) count++
    return count
  }
}

async function countOf (items) {
  let count = 0
  for await (const item of items) count += item.length ?? 1
  return count
}

/** The values of lines in memory, which is decoded in pieces of as many bytes as a chunk has. */
function * parsed (bytes) {
  for (let start = 0; start < bytes.length;) {
    const end = bytes.lastIndexOf('\n', start + CHUNK) + 1
    yield * valuesOf(bytes.toString('utf8', start, end))
    start = end
  }
}

function valuesOf (text) {
  const values = []
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\n', at)
    values.push(JSON.parse(text.slice(at, end)))
    at = end + 1
  }
  return values
}

function promised (bytes) {
  const values = parsed(bytes)
  return { [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve(values.next()) }) }
}

/** The best of several times, as other processes share the cores. */
async function main (way, size) {
  const lines = []
  for (let length = 0; length < TOTAL; length += lines.at(-1).length) {
    lines.push(JSON.stringify(RECORDS[size](100_000 + lines.length)) + '\n')
  }
  const bytes = Buffer.from(lines.join(''))
  let best = 0
  for (let time = 0; time < TIMES; time++) {
    const begin = process.cpuUsage()
    const count = await ways[way](bytes)
    if (count !== lines.length) throw new Error(`${way}: ${count} records`)
    best = Math.max(best, bytes.length / process.cpuUsage(begin).user)
  }
  console.log(best)
}

if (require.main === module) main(...process.argv.slice(2))

module.exports = { sizes: Object.keys(RECORDS), ways: Object.keys(ways) }
