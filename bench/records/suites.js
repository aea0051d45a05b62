'use strict'

// What the benches of records send, and the ways to read it.

const { Readable } = require('node:stream')
const { jsonArray, ndjson } = require('../..')
const { recordOf } = require('../../tools/record')

const CHUNK = 64 * 1024 // bytes
const TOTAL = 16 * 1024 * 1024 // bytes of all lines
const LIMIT = { limit: '1gb' }
const SMALL = 500_000 // records

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

const lineParser = (options) => ndjson({ ...LIMIT, ...options, type: 'application/json', strict: false })
const split = (lines) => streamOf(lines).pipe(require('split2')(JSON.parse))

/**
 * @typedef {object} Material
 * @property {string} [text] a JSON array
 * @property {Buffer} lines the same records as NDJSON
 * @property {number} count
 * @property {object} [options] of our parsers
 * @property {(text: string) => unknown[]} [parseWhole] what an app without a parser does with the text
 *
 * Each returns the number of records.
 *
 * @type {Record<string, (material: Material) => number | Promise<number>>}
 */
const ofLines = {
  'ndjson, items': async ({ lines, options }) => countOf(await recordsOf(lineParser(options), lines)),
  'ndjson, batches of 500': async ({ lines, options }) => {
    return countOf((await recordsOf(lineParser(options), lines)).batches(500))
  }
}
const ofArrays = {
  'JSON.parse': ({ text, parseWhole = JSON.parse }) => parseWhole(text).length,
  'jsonArray, items': async ({ text, options }) => {
    return countOf(await recordsOf(jsonArray({ ...LIMIT, ...options }), Buffer.from(text)))
  },
  'jsonArray, batches of 500': async ({ text, options }) => {
    return countOf((await recordsOf(jsonArray({ ...LIMIT, ...options }), Buffer.from(text))).batches(500))
  },
  ...ofLines
}

/** It is an ES module. */
async function byStreamJson ({ text }) {
  const [{ default: chain }, { default: parser }, { default: streamArray }] = await Promise.all([
    import('stream-chain'), import('stream-json'), import('stream-json/streamers/stream-array.js')
  ])
  const items = chain([parser({ packValues: true, streamValues: false }), streamArray()])
  return countOf(streamOf(Buffer.from(text)).pipe(items))
}

/** Parsers that take chunks, and call a function with each value. They hold the items that are counted no longer. */
const byCallbacks = {
  jsonparse ({ text }) {
    let count = 0
    const parser = new (require('jsonparse'))()
    parser.onError = (error) => { throw error }
    parser.onValue = () => {
      if (parser.stack.length !== 1) return
      count++
      parser.value = []
    }
    for (const chunk of chunksOf(Buffer.from(text))) parser.write(chunk)
    return count
  },
  '@streamparser/json' ({ text }) {
    let count = 0
    const parser = new (require('@streamparser/json').JSONParser)({ paths: ['$.*'], keepStack: false })
    parser.onValue = () => { count++ }
    for (const chunk of chunksOf(Buffer.from(text))) parser.write(chunk)
    return count
  }
}

const byJsonStream = ({ text }) => new Promise((resolve, reject) => {
  let count = 0
  const items = streamOf(Buffer.from(text)).pipe(require('JSONStream').parse('*'))
  items.on('error', reject).on('data', () => count++).on('end', () => resolve(count))
})

/** The values of lines in memory, which are decoded in pieces of as many bytes as a chunk has. */
function * parsed (lines) {
  for (let start = 0; start < lines.length;) {
    const end = lines.lastIndexOf('\n', start + CHUNK) + 1
    for (const line of lines.toString('utf8', start, end).split('\n')) if (line !== '') yield JSON.parse(line)
    start = end
  }
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
  return { lines: Buffer.from(lines.join('')), count: lines.length }
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
  const asLines = () => JSON.parse(text).map((record) => JSON.stringify(record)).join('\n')
  return { text, count, lines: way.startsWith('ndjson') ? Buffer.from(asLines()) : null } // less heap to collect
}

const validate = (value) => ({ value })
const schema = { '~standard': { version: 1, vendor: 'bench', validate } }
const reviver = (key, value) => value

/** What is done with each small record, by options of the parsers, and by hand. */
const CHECKS = {
  nothing: [{}, JSON.parse],
  'a schema': [{ schema }, (text) => JSON.parse(text).map((item) => validate(item).value)],
  'a schema, collected': [{ schema, onError: 'collect' }, (text) => {
    return JSON.parse(text).map((item, index) => ({ record: index + 1, value: validate(item).value }))
  }],
  'a reviver': [{ reviver }, (text) => JSON.parse(text, reviver)]
}

function smallRecords (record, [options, parseWhole]) {
  const records = Array.from({ length: SMALL }, () => record)
  return { text: `[${records.join()}]`, lines: Buffer.from(records.join('\n')), count: SMALL, options, parseWhole }
}

/** @returns {Record<string, T>} an entry for each pair of a name in either list @template T */
function product (ones, others, nameOf, make) {
  const entries = ones.flatMap((one) => others.map((other) => [nameOf(one, other), (way) => make(one, other, way)]))
  return Object.fromEntries(entries)
}

/** `enough`: bytes that are read, so that the best time is one of warm code. */
module.exports = {
  ndjson: {
    about: 'Throughput of records, beside split2, in turn: four minutes.',
    rounds: 5,
    unit: 'MB/s of CPU time',
    enough: 130e6,
    figureOf: (us, bytes) => bytes / us,
    bodies: Object.fromEntries(Object.keys(RECORDS).map((size) => [`records of ${size} B`, () => linesOf(size)])),
    ways: {
      'split2, for await': ({ lines }) => countOf(split(lines)),
      'split2, on data': ({ lines }) => new Promise((resolve) => {
        let count = 0
        split(lines).on('data', () => count++).on('end', () => resolve(count))
      }),
      ...ofLines,
      'JSON.parse, a promise each': ({ lines }) => countOf(parsed(lines)), // what no loop over records can do without
      'JSON.parse alone' ({ lines }) {
        let count = 0
        for (const value of parsed(lines)) if (value) count++
        return count
      }
    }
  },
  'json-array': {
    about: 'Items of JSON arrays, beside JSON.parse of the whole text and peers, in turn: twenty minutes.',
    rounds: 5,
    unit: 'CPU time in us',
    enough: 150e6,
    figureOf: (us) => us,
    bodies: product([500, 240_000], Object.keys(SHAPES),
      (count, shape) => `${count.toLocaleString('en')} records, ${shape}`, arrayOf),
    ways: { ...ofArrays, 'stream-json': byStreamJson, JSONStream: byJsonStream, ...byCallbacks }
  },
  'small-records': {
    about: 'Loops over 500,000 small records, beside JSON.parse and the same check of each, in turn: two minutes.',
    rounds: 3,
    unit: 'CPU time in us',
    enough: 7e6,
    figureOf: (us) => us,
    bodies: product(Object.keys(CHECKS), ['1', '"é"', '{}'], (check, record) => `${record}, ${check}`,
      (check, record) => smallRecords(record, CHECKS[check])),
    ways: ofArrays
  }
}
