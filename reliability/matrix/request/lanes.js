'use strict'

// The ways through the parser: a body, what it is declared to be, and options.

const zlib = require('node:zlib')
const { createRandom } = require('../../../tools/random')
const callers = require('./callers')

/**
 * @typedef {object} Lane
 * @property {'json' | 'raw' | 'text' | 'urlencoded' | 'ndjson' | 'jsonArray' | 'multipart' | 'multer'} [parser='json']
 * @property {string} [type] media type; that of the parser by default
 * @property {string} [coding] content coding
 * @property {Buffer} [body]
 * @property {Buffer} [sent] what the field Content-Digest is of, if not of the body
 * @property {boolean} [isChunked] without a declared length
 * @property {number} [declares] bytes, more than are sent
 * @property {object | ((parts: { createBudget: Function, folder: string }) => object)} [options] `folder`: for files
 * @property {Function} [call] calls the parser: see callers.js
 * @property {boolean} [hasFiles] on the disk, which must not be there after an error
 * @property {boolean} [isGuarded] with options that bound what a client may do
 * @property {boolean} [isOwn] body-parser has no such lane, or differs in it on purpose
 */

const random = createRandom(1)
const letters = Array.from({ length: 7992 }, () => Math.floor(random() * 16).toString(16)).join('')
const json = Buffer.from(`{"a":"${letters}"}`) // 8,000 bytes, half of them when coded
const bomb = Buffer.alloc(2_000_000, ' ')
const gzip = zlib.gzipSync(json)
const corrupt = Buffer.concat([gzip.subarray(0, gzip.length / 3), Buffer.alloc(gzip.length / 3 * 2, 0x55)])
const form = Buffer.from(`a=${letters}`)

const lines = Buffer.from(Array(1000).fill('["12345"]\n').join('')) // 10,000 bytes
const array = Buffer.from(`[${Array(1000).fill('["12345"]').join(',')}]`)
const field = (name) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${letters.slice(0, 3000)}\r\n`
const files = Buffer.from(`${field('a')}${field('b"; filename="c')}${field('c')}--b--`)
const upload = Buffer.from(`${field('a')}${field('b" filename="c')}${field('c')}--b--`)
const filesLast = Buffer.from(`${field('a')}${field('c')}${field('b"; filename="c')}--b--`)

const soon = () => new Promise((resolve) => setTimeout(resolve, 5))
const never = () => new Promise(() => {})
const fail = () => { throw Object.assign(new Error('refused'), { status: 422 }) }
const schema = { '~standard': { version: 1, vendor: 'matrix', validate: (value) => ({ value }) } }

/** A storage engine that listens to its stream, as most do. */
const engine = () => ({
  _handleFile (req, { stream }, done) {
    let size = 0
    stream.on('data', ({ length }) => { size += length })
    stream.on('error', done)
    stream.on('end', () => done(null, { size }))
  },
  _removeFile: (req, file, done) => done(null)
})

/** @type {Record<string, Lane>} */
const lanes = {
  identity: {},
  'identity, chunked': { isChunked: true },
  raw: { parser: 'raw', body: Buffer.from(letters) },
  text: { parser: 'text', body: Buffer.from(letters), isChunked: true },
  form: { parser: 'urlencoded', body: form },
  'verify throws': { options: { verify: fail } },
  'invalid JSON': { body: Buffer.from(letters) },
  'stream deflate, over the limit': {
    coding: 'deflate',
    body: zlib.deflateSync(json),
    isChunked: true,
    options: { limit: 2000 }
  },
  'charset refused': { type: 'application/json; charset=latin1' },
  'coding refused': { coding: 'compress' },
  'refused before reading': { options: { limit: 2000 } },
  'refused while reading': { isChunked: true, options: { limit: 3000 } },
  'body that is not all sent': { declares: 9000 },
  web: { call: callers.web },
  'web, gzip': { coding: 'gzip', body: gzip, call: callers.web },
  'web, refused before reading': { call: callers.web, options: { limit: 2000, drainLimit: 3000 } },
  'web, refused while reading': { isChunked: true, call: callers.web, options: { limit: 3000 } },
  'web, refused while reading, over drainLimit': {
    isChunked: true,
    call: callers.web,
    options: { limit: 3000, drainLimit: 3500 }
  }
}

const bombed = { coding: 'gzip', body: zlib.gzipSync(bomb) }
const coded = {
  gzip: { coding: 'gzip', body: gzip },
  bomb: bombed,
  corrupt: { coding: 'gzip', body: corrupt },
  br: { coding: 'br', body: zlib.brotliCompressSync(json) }
}
for (const [name, lane] of Object.entries(coded)) {
  lanes[`one-shot ${name}`] = lane
  lanes[`stream ${name}`] = { ...lane, isChunked: true }
}

const records = { parser: 'ndjson', body: lines, call: callers.loop }
const items = { parser: 'jsonArray', body: array, call: callers.loop }
const multipart = { parser: 'multipart', body: upload }
const streamed = { ...multipart, body: filesLast, call: callers.files, options: { store: 'stream' } }
const required = { contentDigest: 'require' }

/** Those that body-parser does not have, or in which it differs on purpose. @type {Record<string, Lane>} */
const own = {
  'verify, asynchronous': { options: { verify: soon } },
  'verify, rejected': { options: { verify: () => soon().then(fail) } },
  'verify, pending': { options: { verify: never, timeout: 100 } },
  'parse, synchronous': { options: { parse: (text) => JSON.parse(text) } },
  'parse, asynchronous': { options: { parse: (text) => soon().then(() => JSON.parse(text)) } },
  'parse, rejected': { options: { parse: () => soon().then(fail) } },
  'parse, pending': { options: { parse: never, timeout: 100 } },
  'list of codings': { coding: 'gzip, br', body: zlib.brotliCompressSync(gzip), options: { codingLists: true } },
  'coded bytes kept': { ...coded.gzip, options: { rawBody: 'coded' } },
  cooperative: { options: { cooperative: { threshold: 1000, slice: 0.01 } } },
  buffered: { options: { buffered: true }, call: callers.buffered },
  promise: { call: callers.promise },
  schema: { options: { schema } },
  'refused while reading, over drainLimit': { isChunked: true, options: { limit: 3000, drainLimit: 3500 } },
  'refused before reading, over drainLimit': { options: { limit: 2000, drainLimit: 3000 } },
  'refused before reading, never sent': { body: Buffer.from('0123456789'), declares: 70_000_000 },
  'stream bomb, over drainLimit': { ...bombed, isChunked: true, options: { drainLimit: 500 } },
  timeout: { declares: 9000, options: { timeout: 60 } },
  'budget, refused': { options: ({ createBudget }) => ({ budget: createBudget({ bytes: 3000 }) }) },
  'budget, waiting': { options: ({ createBudget }) => ({ budget: createBudget({ bytes: 3000, wait: 40 }) }) },
  records,
  'records, gzip': { ...records, body: zlib.gzipSync(lines), coding: 'gzip', isChunked: true },
  'records, refused': { ...records, body: Buffer.concat([lines, Buffer.from('1\n'), lines]) },
  'records, refused, over drainLimit': {
    ...records,
    body: Buffer.concat([Buffer.from('1\n'), lines]),
    options: { drainLimit: 100 }
  },
  items,
  'items, gzip': { ...items, body: zlib.gzipSync(array), coding: 'gzip', isChunked: true },
  'items below a path': {
    ...items,
    body: Buffer.concat([Buffer.from('{"a":'), array, Buffer.from(',"b":'), array, Buffer.from('}')]),
    options: { path: '/b' }
  },
  'items, refused': { ...items, body: Buffer.concat([array.subarray(0, -1), Buffer.from(','), lines]) },
  'items, refused, over drainLimit': {
    ...items,
    body: Buffer.concat([Buffer.from('[1,,'), array]),
    options: { drainLimit: 100 }
  },
  'items, cut off': { ...items, body: array.subarray(0, -1) },
  multipart,
  'multipart, gzip': { ...multipart, body: zlib.gzipSync(upload), coding: 'gzip', isChunked: true },
  'multipart, refused': { ...multipart, options: { fields: { max: 1 } } },
  'multipart, checked': { ...multipart, body: files, options: { ...required, detect: soon, digest: 'sha256' } },
  streamed,
  'streamed, gzip, digest': {
    ...streamed,
    body: zlib.gzipSync(filesLast),
    coding: 'gzip',
    isChunked: true,
    options: { ...required, ...streamed.options }
  },
  'streamed, late': { ...streamed, body: files },
  digest: { options: required },
  'digest, gzip': { ...coded.gzip, isChunked: true, options: required },
  'digest, mismatch': { sent: form, options: required },
  'records, digest, mismatch': { ...records, sent: form, options: required }
}
for (const [name, lane] of Object.entries(own)) lanes[name] = { ...lane, isOwn: true }

const onDisk = { hasFiles: true, options: ({ folder }) => ({ dest: folder }) }

/** @type {Record<string, Lane>} */
const uploads = {
  memory: {},
  disk: onDisk,
  engine: { options: () => ({ storage: engine() }) },
  'memory, refused': { options: { limits: { fileSize: 1000 } } },
  'disk, cut': { ...onDisk, body: files.subarray(0, -5) },
  'disk, not all sent': { ...onDisk, declares: 10_000 }
}
for (const [name, lane] of Object.entries(uploads)) lanes[`multer ${name}`] = { parser: 'multer', body: files, ...lane }

for (const name of [
  'identity, chunked', 'records', 'items', 'multipart', 'streamed', 'digest, gzip', 'multer disk', 'multer engine',
  'body that is not all sent',
  'one-shot gzip', 'stream gzip',
  'refused while reading', 'stream bomb', 'verify, asynchronous', 'parse, asynchronous'
]) {
  lanes[`${name}, guarded`] = { ...lanes[name], isGuarded: true }
}

const TYPES = {
  json: 'application/json',
  raw: 'application/octet-stream',
  text: 'text/plain',
  urlencoded: 'application/x-www-form-urlencoded',
  ndjson: 'application/x-ndjson',
  jsonArray: 'application/json',
  multipart: 'multipart/form-data; boundary=b',
  multer: 'multipart/form-data; boundary=b'
}

for (const lane of Object.values(lanes)) {
  lane.parser ??= 'json'
  lane.type ??= TYPES[lane.parser]
  lane.body ??= json
}

module.exports = lanes
