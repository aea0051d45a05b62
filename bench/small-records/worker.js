'use strict'

// A process that reads 500,000 small records in each way in turn: prints the lowest CPU time of each, in us.

const { Readable } = require('node:stream')
const { jsonArray, ndjson } = require('../..')

const CHUNK = 64 * 1024 // bytes
const COUNT = 500_000
const TIMES = 7 // the first ones are those of cold code

const reviver = (key, value) => value
const schema = { '~standard': { version: 1, vendor: 'bench', validate: (value) => ({ value }) } }
const collect = { onError: 'collect' }

/** What is done with each record, by options of the parsers. The text of an array is that of its items. */
const CHECKS = {
  nothing: [{}, (text) => JSON.parse(text)],
  'a schema': [{ schema }, (text) => JSON.parse(text).map((item) => schema['~standard'].validate(item).value)],
  'a schema, collected': [{ ...collect, schema }, (text) => JSON.parse(text)
    .map((item, index) => ({ record: index + 1, value: schema['~standard'].validate(item).value }))],
  'a reviver': [{ reviver }, (text) => JSON.parse(text, reviver)]
}

function * chunksOf (bytes) {
  for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK)
}

const requestOf = (bytes) => Object.assign(Readable.from(chunksOf(bytes), { objectMode: false, highWaterMark: CHUNK }),
  { headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' } })

async function countOf (items) {
  let count = 0
  for await (const item of items) count += Array.isArray(item) ? item.length : 1
  return count
}

/** @returns {Record<string, () => number | Promise<number>>} each returns the number of records */
function waysOf (check, record) {
  const [options, parseWhole] = CHECKS[check]
  const records = Array.from({ length: COUNT }, () => record)
  const bytes = Buffer.from(`[${records.join()}]`)
  const lines = Buffer.from(records.join('\n'))
  const parseItems = jsonArray(options)
  const parseLines = ndjson({ ...options, type: 'application/json', strict: false })
  return {
    'JSON.parse': () => parseWhole(bytes.toString()).length,
    'jsonArray, items': async () => countOf(await parseItems.read(requestOf(bytes), {})),
    'jsonArray, batches': async () => countOf((await parseItems.read(requestOf(bytes), {})).batches(500)),
    'ndjson, items': async () => countOf(await parseLines.read(requestOf(lines), {})),
    'ndjson, batches': async () => countOf((await parseLines.read(requestOf(lines), {})).batches(500))
  }
}

async function main (check, record) {
  const ways = waysOf(check, record)
  const lowest = {}
  for (let time = 0; time < TIMES; time++) {
    for (const [way, read] of Object.entries(ways)) {
      const begin = process.cpuUsage()
      const seen = await read()
      const { system, user } = process.cpuUsage(begin)
      if (seen !== COUNT) throw new Error(`${way}: ${seen} records`)
      lowest[way] = Math.min(lowest[way] ?? Infinity, user + system)
    }
  }
  console.log(JSON.stringify(lowest))
}

if (require.main === module) main(...process.argv.slice(2))

module.exports = { checks: Object.keys(CHECKS) }
