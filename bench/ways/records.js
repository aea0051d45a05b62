'use strict'

// Ways to read records in chunks of 64 KB, and the records.

const { Readable } = require('node:stream')
const { jsonArray, ndjson } = require('../..')
const { recordOf } = require('../../tools/record')
const lowestCpu = require('../measure/lowest-cpu')

const CHUNK = 64 * 1024 // bytes
const TOTAL = 16 * 1024 * 1024 // bytes of all lines
const LIMIT = { limit: '1gb' }
const LINES_TIME = 2000 // ms of CPU time, so that the best is one of warm code
const ARRAYS_TIME = 6000 // as stream-json is compiled for long

function * chunksOf (bytes) {
  for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK)
}

const streamOf = (bytes) => Readable.from(chunksOf(bytes), { objectMode: false, highWaterMark: CHUNK })

/** @returns {Promise<AsyncIterable>} what a parser makes of a request with these bytes */
function recordsOf (parser, bytes) {
  const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
  return parser.read(Object.assign(streamOf(bytes), { headers }), {})
}

async function countOf (items) {
  let count = 0
  for await (const item of items) count += Array.isArray(item) ? item.length : 1
  return count
}

const lineParser = ndjson({ ...LIMIT, type: 'application/json', strict: false })
const arrayParser = jsonArray(LIMIT)
const split = (lines) => streamOf(lines).pipe(require('split2')(JSON.parse))

/** It is an ES module. */
async function byStreamJson (text) {
  const [{ default: chain }, { default: parser }, { default: streamArray }] = await Promise.all([
    import('stream-chain'), import('stream-json'), import('stream-json/streamers/stream-array.js')
  ])
  const items = chain([parser({ packValues: true, streamValues: false }), streamArray()])
  return countOf(streamOf(Buffer.from(text)).pipe(items))
}

/** The values of lines in memory, which are decoded in pieces of as many bytes as a chunk has. */
function * parsed (lines) {
  for (let start = 0; start < lines.length;) {
    const end = lines.lastIndexOf('\n', start + CHUNK) + 1
    for (const line of lines.toString('utf8', start, end).split('\n')) if (line !== '') yield JSON.parse(line)
    start = end
  }
}

/**
 * Each returns how many records there are.
 *
 * @type {Record<string, (lines: Buffer) => number | Promise<number>>}
 */
const ofLines = {
  'ndjson, items': async (lines) => countOf(await recordsOf(lineParser, lines)),
  'ndjson, batches of 500': async (lines) => countOf((await recordsOf(lineParser, lines)).batches(500)),
  'split2, for await': (lines) => countOf(split(lines)),
  'split2, on data': (lines) => new Promise((resolve) => {
    let count = 0
    split(lines).on('data', () => count++).on('end', () => resolve(count))
  }),
  'JSON.parse, a promise each': (lines) => countOf(parsed(lines)), // what no loop over records can do without
  'JSON.parse alone' (lines) {
    let count = 0
    for (const value of parsed(lines)) if (value) count++
    return count
  }
}

/** The same of a JSON array. @type {Record<string, (text: string) => number | Promise<number>>} */
const ofArrays = {
  'JSON.parse': (text) => JSON.parse(text).length,
  'jsonArray, items': async (text) => countOf(await recordsOf(arrayParser, Buffer.from(text))),
  'jsonArray, batches of 500': async (text) => {
    return countOf((await recordsOf(arrayParser, Buffer.from(text))).batches(500))
  },
  'stream-json': byStreamJson
}

const addressOf = (id) => ({ street: `Main street ${id}`, city: 'Springfield', zip: '12345' })
const itemOf = (id, index) => ({ sku: `A-${index}-${id}`, price: 1.5 * index, text: 'some text', tags: ['x', 'y'] })
const userOf = (id) => ({ id, name: `user ${id}`, email: `user${id}@example.com` })

/** By about as many bytes as each has. */
const RECORDS = {
  50: (id) => ({ id, name: `user ${id}`, ok: true, n: 12 }),
  200: (id) => ({ ...userOf(id), tags: ['a', 'b', 'c'], address: addressOf(id), note: 'some more text' }),
  2000: (id) => ({ ...userOf(id), items: Array.from({ length: 28 }, (_, index) => itemOf(id, index)) })
}

function linesOf (size) {
  const lines = []
  for (let length = 0; length < TOTAL; length += lines.at(-1).length) {
    lines.push(JSON.stringify(RECORDS[size](100_000 + lines.length)) + '\n')
  }
  return { body: Buffer.from(lines.join('')), count: lines.length, time: LINES_TIME }
}

const SHAPES = {
  compact: (records) => JSON.stringify(records),
  indented: (records) => JSON.stringify(records, null, 2),
  nested: (records) => JSON.stringify(records.map(({ id, items, ...more }) => { // whose lists begin as they do
    return { id, ...more, items: items.map((item, index) => ({ id: index, ...item })) }
  }))
}

function arrayOf (count, shape, way) {
  const records = Array.from({ length: count }, (_, index) => ({ ...recordOf(416), id: 1000 + index % 9000 }))
  const text = SHAPES[shape](records)
  const asLines = () => Buffer.from(JSON.parse(text).map((record) => JSON.stringify(record)).join('\n'))
  return { body: way in ofArrays ? text : asLines(), count, time: ARRAYS_TIME }
}

const lines = Object.keys(RECORDS).map((size) => [`records of ${size} B`, () => linesOf(size)])
const arrays = [500, 240_000].flatMap((count) => Object.keys(SHAPES).map((shape) => {
  return [`${count.toLocaleString('en')} records, ${shape}`, (way) => arrayOf(count, shape, way)]
}))
const bodies = Object.fromEntries([...lines, ...arrays])

exports.rows = { ndjson: lines.map(([name]) => name), 'json-array': arrays.map(([name]) => name) }
exports.ways = {
  ndjson: Object.keys(ofLines),
  'json-array': [...Object.keys(ofArrays), ...Object.keys(ofLines).filter((way) => way.startsWith('ndjson'))]
}

/** @returns {Promise<{ us: number, mbs: number }>} of CPU time, and MB in a second of it */
exports.measure = async (row, way) => {
  const { body, count, time } = bodies[row](way)
  const us = await lowestCpu(async () => {
    const seen = await { ...ofLines, ...ofArrays }[way](body)
    if (seen !== count) throw new Error(`${way}: ${seen} records`)
  }, { time })
  return { us, mbs: body.length / us }
}
