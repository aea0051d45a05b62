'use strict'

// A process for one way to read one kind of text: prints its CPU time in us.

const { Readable } = require('node:stream')
const { jsonArray, ndjson } = require('../..')
const { recordOf } = require('../../tools/record')

const CHUNK = 64 * 1024 // bytes
const ENOUGH = 150e6 // bytes that are read, so that the best time is one of warm code
const RECORD = 416 // bytes

const streamOf = (bytes) => {
  function * chunks () {
    for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK)
  }
  return Readable.from(chunks(), { objectMode: false, highWaterMark: CHUNK })
}

const HEADERS = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
const requestOf = (bytes) => Object.assign(streamOf(bytes), { headers: HEADERS })
const parseItems = jsonArray({ limit: '1gb' })
const parseLines = ndjson({ limit: '1gb', type: 'application/json' })

/** Each returns the number of records. */
const ways = {
  'JSON.parse': ({ text }) => JSON.parse(text).length,
  'jsonArray, items': async ({ bytes }) => countOf(await parseItems.read(requestOf(bytes), {})),
  'jsonArray, batches of 500': async ({ bytes }) => countOf((await parseItems.read(requestOf(bytes), {})).batches(500)),
  'ndjson, items': async ({ lines }) => countOf(await parseLines.read(requestOf(lines), {})),
  'ndjson, batches of 500': async ({ lines }) => countOf((await parseLines.read(requestOf(lines), {})).batches(500)),
  'stream-json': async ({ bytes, streamJson }) => {
    const { chain, parser, streamArray } = streamJson
    const items = chain([parser({ packValues: true, streamValues: false }), streamArray()])
    let count = 0
    await new Promise((resolve, reject) => {
      streamOf(bytes).on('error', reject).pipe(items).on('data', () => count++).on('end', resolve).on('error', reject)
    })
    return count
  }
}

async function countOf (items) {
  let count = 0
  for await (const item of items) count += item.length ?? 1
  return count
}

/** It is an ES module. */
async function loadStreamJson () {
  const [{ default: chain }, { default: parser }, { default: streamArray }] = await Promise.all([
    import('stream-chain'), import('stream-json'), import('stream-json/streamers/stream-array.js')
  ])
  return { chain, parser, streamArray }
}

const record = (index) => ({ ...recordOf(RECORD), id: 1000 + index % 9000 })

/** Texts by number of records. */
const SHAPES = {
  compact: (records) => JSON.stringify(records),
  indented: (records) => JSON.stringify(records, null, 2),
  nested: (records) => JSON.stringify(records.map(({ id, items, ...more }) => { // whose lists begin as they do
    return { id, ...more, items: items.map((item, index) => ({ id: index, ...item })) }
  }))
}

/** The best of several times, as other processes share the cores. */
async function main (way, shape, count) {
  const records = Array.from({ length: Number(count) }, (_, index) => record(index))
  const text = SHAPES[shape](records)
  const material = {
    bytes: Buffer.from(text),
    lines: way.startsWith('ndjson') ? linesOf(JSON.parse(text)) : null,
    streamJson: way === 'stream-json' ? await loadStreamJson() : null,
    text
  }
  records.length = 0 // a large heap takes longer to collect
  let best = Infinity
  for (let read = 0; read < ENOUGH; read += text.length) {
    const begin = process.cpuUsage()
    const seen = await ways[way](material)
    const { system, user } = process.cpuUsage(begin)
    if (seen !== Number(count)) throw new Error(`${way}: ${seen} records`)
    best = Math.min(best, user + system)
  }
  console.log(best)
}

const linesOf = (records) => Buffer.from(records.map((record) => JSON.stringify(record)).join('\n'))

if (require.main === module) main(...process.argv.slice(2))

module.exports = { shapes: Object.keys(SHAPES), ways: Object.keys(ways) }
