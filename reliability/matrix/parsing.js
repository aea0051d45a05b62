'use strict'

// Lanes whose requests other code acts on while they are parsed: a body, what it
// is declared to be, and options.

const zlib = require('node:zlib')
const { createRandom } = require('../../tools/random')
const { never } = require('./acts/act')
const requests = require('./acts/requests')
const callers = require('./callers')
const schemaOf = require('../../test/support/schema-of')

const LONG = 60_000 // ms, which no cell takes on a busy machine: the timer must be there, and go

const random = createRandom(1)
const letters = Array.from({ length: 7992 }, () => Math.floor(random() * 16).toString(16)).join('')
const json = Buffer.from(`{"a":"${letters}"}`) // 8,000 bytes, half of them when coded
const gzip = zlib.gzipSync(json)
const corrupt = Buffer.concat([gzip.subarray(0, gzip.length / 3), Buffer.alloc(gzip.length / 3 * 2, 0x55)])

const lines = Buffer.from(Array(1000).fill('["12345"]\n').join('')) // 10,000 bytes
const array = Buffer.from(`[${Array(1000).fill('["12345"]').join(',')}]`)
const field = (name) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${letters.slice(0, 3000)}\r\n`
const form = (...names) => Buffer.from(`${names.map(field).join('')}--b--`)
const file = 'b"; filename="c'
const files = form('a', file, 'c')
const filesLast = form('a', 'c', file)

const soon = () => new Promise((resolve) => setTimeout(resolve, 5))
const fail = () => { throw Object.assign(new Error('refused'), { status: 422 }) }
const schema = schemaOf((value) => ({ value }))

/** @type {Record<string, Partial<import('./lanes').Lane>>} */
const lanes = {
  identity: {},
  'identity, chunked': { isChunked: true },
  raw: { parser: 'raw', body: Buffer.from(letters) },
  'verify throws': { isRefused: true, options: { verify: fail } },
  'invalid JSON': { isRefused: true, body: Buffer.from(letters) },
  'coding refused': { isRefused: true, coding: 'compress' },
  'refused before reading': { isRefused: true, options: { limit: 2000 } },
  'refused while reading': { isRefused: true, isChunked: true, options: { limit: 3000 } },
  'body that is not all sent': { isRefused: true, declares: 9000 },
  web: { isWeb: true },
  'web, gzip': { coding: 'gzip', body: gzip, isWeb: true },
  'web, refused before reading': { isRefused: true, isWeb: true, options: { limit: 2000, drainLimit: 3000 } },
  'web, refused while reading, over drainLimit': {
    isChunked: true,
    isRefused: true,
    isWeb: true,
    options: { limit: 3000, drainLimit: 3500 }
  }
}

const coded = {
  gzip: { coding: 'gzip', body: gzip },
  bomb: { coding: 'gzip', body: zlib.gzipSync(Buffer.alloc(2_000_000, ' ')), isRefused: true },
  corrupt: { coding: 'gzip', body: corrupt, isRefused: true }
}
for (const [name, lane] of Object.entries(coded)) {
  lanes[`one-shot ${name}`] = lane
  lanes[`stream ${name}`] = { ...lane, isChunked: true }
}

const records = { parser: 'ndjson', body: lines, call: callers.loop }
const items = { parser: 'jsonArray', body: array, call: callers.loop }
const multipart = { parser: 'multipart', body: files }
const streamed = { parser: 'multipart', body: filesLast, call: callers.files, options: { store: 'stream' } }
const multer = { parser: 'multer', body: files }
const onDisk = { ...multer, hasFiles: true, options: ({ folders }) => ({ dest: folders.temporary }) }
const required = { contentDigest: 'require' }

/** Those that body-parser does not have, or in which it differs on purpose. @type {typeof lanes} */
const own = {
  'verify, asynchronous': { options: { verify: soon } },
  'verify, pending': { options: { verify: never, timeout: 100 }, isRefused: true },
  'parse, asynchronous': { options: { parse: (text) => soon().then(() => JSON.parse(text)) } },
  'parse, pending': { options: { parse: never, timeout: 100 }, isRefused: true },
  cooperative: { options: { cooperative: { threshold: 1000, slice: 0.01 } } },
  promise: { call: callers.promise },
  schema: { options: { schema } },
  'refused while reading, over drainLimit': {
    isChunked: true,
    options: { limit: 3000, drainLimit: 3500 },
    isRefused: true
  },
  'refused before reading, never sent': { body: Buffer.from('0123456789'), declares: 70_000_000, isRefused: true },
  timeout: { declares: 9000, options: { timeout: 60 }, isRefused: true },
  'budget, refused': { options: ({ createBudget }) => ({ budget: createBudget({ bytes: 3000 }) }), isRefused: true },
  'budget, waiting': {
    options: ({ createBudget }) => ({ budget: createBudget({ bytes: 3000, wait: 40 }) }),
    isRefused: true
  },
  records,
  'records, gzip': { ...records, body: zlib.gzipSync(lines), coding: 'gzip', isChunked: true },
  'records, refused': { ...records, body: Buffer.concat([lines, Buffer.from('1\n'), lines]), isRefused: true },
  items,
  multipart,
  'multipart, refused': { ...multipart, options: { fields: { max: 1 } }, isRefused: true },
  'multipart, checked': { ...multipart, options: { ...required, detect: soon, digest: 'sha256' } },
  streamed,
  'streamed, digest': { ...streamed, options: { ...required, ...streamed.options } },
  'digest, mismatch': { sent: files, options: required, isRefused: true },
  'multer memory': multer,
  'multer disk': onDisk,
  'multer memory, refused': { ...multer, options: { limits: { fileSize: 1000 } }, isRefused: true },
  'multer disk, cut': { ...onDisk, body: files.subarray(0, -5), isRefused: true }
}
for (const [name, lane] of Object.entries(own)) lanes[name] = { ...lane, isOwn: true }

for (const name of ['identity, chunked', 'records', 'streamed', 'multer disk', 'stream gzip', 'verify, asynchronous']) {
  lanes[`${name}, guarded`] = { ...lanes[name], guards: { timeout: LONG, minRate: 1, budget: 1_000_000 } }
}

const TYPES = {
  json: 'application/json',
  raw: 'application/octet-stream',
  ndjson: 'application/x-ndjson',
  jsonArray: 'application/json',
  multipart: 'multipart/form-data; boundary=b',
  multer: 'multipart/form-data; boundary=b'
}

/** Calls the parser; the app gets nothing before `next`. */
function serve (exchange) {
  const { lane: { call, isWeb, parser }, options, parsers, req, res } = exchange
  const parse = parsers[parser](options)
  if (isWeb) callers.web(exchange, parse, exchange.next())
  else if (call !== undefined) call(exchange, parse, exchange.next())
  else parse(req, res, exchange.next())
}

for (const [name, lane] of Object.entries(lanes)) {
  const { body = json, parser = 'json' } = lane
  const expected = parser === 'json' ? { a: letters } : undefined
  const common = { kind: 'request', acts: requests, hasNext: true, serve, expected, type: TYPES[parser] }
  lanes[name] = { ...common, ...lane, body, parser }
}

module.exports = lanes
