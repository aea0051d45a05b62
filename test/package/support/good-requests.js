'use strict'

// A good request for each parser, as a function that sends it and gives the status; and a bad one.

const assert = require('node:assert/strict')
const { once } = require('node:events')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const zlib = require('node:zlib')
const bodyParser = require('../../..')
const multer = require('../../../multer')
const web = require('../../../lib/web')
const schemaOf = require('../../support/schema-of')
const { form, upload } = require('../../support/upload')
const { post } = require('../../support/web-request')

const { createParser, json, jsonArray, multipart, ndjson, raw, text, urlencoded } = bodyParser
const TYPES = {
  form: 'multipart/form-data; boundary=b',
  json: 'application/json',
  lines: 'application/x-ndjson',
  pairs: 'application/x-www-form-urlencoded',
  text: 'text/plain'
}
const OBJECT = '{"a":1,"b":"c"}'
const LINES = '{"a":1}\n{"a":2}\n{"a":3}\n'
const ARRAY = '[{"a":1},{"a":2},"three"]'
const LARGE = JSON.stringify(Array.from({ length: 5000 }, (_, id) => ({ id, name: `user ${id}` })))
const SCHEMA = schemaOf(async (value) => ({ value }))
const FIELDS = form(['a', '1'], ['b', 'c'])
const FILE = form(['a', '1'], ['f', 'x'.repeat(1e5), 'a.bin'])
const GZIP = { headers: { 'content-encoding': 'gzip' } }
const CHUNKED = { chunked: true }

/** @returns {() => Promise<number>} sends it to a middleware, and its handler, over HTTP/1; the status */
const served = (parser, type, body, { handle = () => {}, headers, chunked } = {}) => async () => {
  const answer = async (req, res, error) => {
    if (error === undefined) await handle(req, res)
    res.statusCode = error?.status ?? (req.readableEnded ? 200 : 415) // a parser that has skipped it shows nothing
  }
  const message = { headers: { 'Content-Type': type, ...headers }, chunked, handle: answer }
  return (await upload(parser, Buffer.from(body), message)).status
}

/** The same of a Request of the Fetch standard. */
const read = (reader, type, body, { handle = () => {}, headers } = {}) => async () => {
  const fields = { 'content-type': type, 'content-length': Buffer.byteLength(body), ...headers }
  await handle(await reader(post(body, fields)))
  return 200
}

async function loop ({ body }) {
  for await (const record of body) assert.ok(record)
}

async function loopOverBatches ({ body }) {
  for await (const records of body.batches(2)) assert.ok(records.length > 0)
}

const LOOP = { handle: loop }
const BATCHES = { handle: loopOverBatches }
const OF_LOOP = { handle: (body) => loop({ body }) }

async function streamFiles ({ files }) {
  for await (const file of files) for await (const chunk of file) assert.ok(chunk.length > 0)
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'good-requests-'))
process.once('exit', () => fs.rmSync(folder, { recursive: true }))

const files = { f: { max: 1 } }
const { parts } = multipart({ files })

async function readParts (req, res, next) {
  for await (const part of parts(req, res)) if (part.name !== undefined) await once(part.resume(), 'end')
  next()
}

module.exports = {
  json: served(json(), TYPES.json, OBJECT),
  'json, in chunks': served(json(), TYPES.json, OBJECT, CHUNKED),
  'json, skipped': served(json(), TYPES.text, 'abc', { handle: (req) => once(req.resume(), 'end') }),
  'json, gzip': served(json(), TYPES.json, zlib.gzipSync(OBJECT), GZIP),
  'json, large gzip': served(json({ limit: '1mb' }), TYPES.json, zlib.gzipSync(LARGE), GZIP),
  'json, guards': served(json({ timeout: 5000, budget: bodyParser.createBudget({ bytes: 1e6 }) }), TYPES.json, OBJECT),
  'json, verify, schema and promises': served(json({ verify: async () => {}, schema: SCHEMA }), TYPES.json, OBJECT),
  'json, cooperative': served(json({ cooperative: true, limit: '1mb' }), TYPES.json, LARGE),
  urlencoded: served(urlencoded(), TYPES.pairs, 'a=1&b=c'),
  'urlencoded, nested': served(urlencoded({ extended: true }), TYPES.pairs, 'a[b]=1&a[c]=d'),
  raw: served(raw({ type: TYPES.text }), TYPES.text, 'abc'),
  text: served(text(), TYPES.text, 'abc'),
  createParser: served(createParser({ type: TYPES.text, parse: (text) => text.length }), TYPES.text, 'abc'),
  'multipart, fields': served(multipart(), TYPES.form, FIELDS),
  'multipart, memory': served(multipart({ files }), TYPES.form, FILE),
  'multipart, disk': served(multipart({ files, store: multipart.disk(folder) }), TYPES.form, FILE),
  'multipart, stream': served(multipart({ files, store: 'stream' }), TYPES.form, FILE, { handle: streamFiles }),
  'multipart, parts()': served(readParts, TYPES.form, FILE),
  'multer, fields': served(multer().none(), TYPES.form, FIELDS),
  'multer, memory': served(multer({}).any(), TYPES.form, FILE),
  'multer, disk': served(multer({ dest: folder }).single('f'), TYPES.form, FILE),
  'multipart, in chunks': served(multipart({ files }), TYPES.form, FILE, CHUNKED),
  ndjson: served(ndjson(), TYPES.lines, LINES, LOOP),
  'ndjson, batches': served(ndjson(), TYPES.lines, LINES, BATCHES),
  jsonArray: served(jsonArray(), TYPES.json, ARRAY, LOOP),
  'jsonArray, batches': served(jsonArray(), TYPES.json, ARRAY, BATCHES),
  'jsonArray, large batches': served(jsonArray({ limit: '1mb' }), TYPES.json, LARGE, BATCHES),
  'json of /web': read(web.json(), TYPES.json, OBJECT),
  'json of /web, gzip': read(web.json(), TYPES.json, zlib.gzipSync(OBJECT), GZIP),
  'json of /web, large': read(web.json({ limit: '1mb' }), TYPES.json, LARGE),
  'urlencoded of /web': read(web.urlencoded(), TYPES.pairs, 'a=1&b=c'),
  'multipart of /web, fields': read(web.multipart(), TYPES.form, FIELDS),
  'multipart of /web, memory': read(web.multipart({ files }), TYPES.form, FILE),
  'ndjson of /web': read(web.ndjson(), TYPES.lines, LINES, OF_LOOP),
  'jsonArray of /web': read(web.jsonArray(), TYPES.json, ARRAY, OF_LOOP),
  'bad JSON': served(json(), TYPES.json, '{')
}
