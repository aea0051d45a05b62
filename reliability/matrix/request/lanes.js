'use strict'

// The ways through the parser: a body, what it is declared to be, and options.

const zlib = require('node:zlib')
const { createRandom } = require('../../../tools/random')
const callers = require('./callers')
const { engine } = require('./uploads')

const PIECES = 4 // writes of the client

/**
 * @typedef {object} Lane
 * @property {'json' | 'raw' | 'text' | 'urlencoded' | 'ndjson' | 'multipart' | 'multer'} [parser='json']
 * @property {string} [type] media type; that of the parser by default
 * @property {string} [coding] content coding
 * @property {Buffer} [body]
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
const field = (name) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${letters.slice(0, 3000)}\r\n`
const files = Buffer.from(`${field('a')}${field('b"; filename="c')}${field('c')}--b--`)
const upload = Buffer.from(`${field('a')}${field('b" filename="c')}${field('c')}--b--`)

const soon = () => new Promise((resolve) => setTimeout(resolve, 5))
const never = () => new Promise(() => {})
const fail = () => { throw Object.assign(new Error('refused'), { status: 422 }) }
const schema = { '~standard': { version: 1, vendor: 'matrix', validate: (value) => ({ value }) } }

/** @type {Record<string, Lane>} */
const lanes = {
  identity: {},
  'identity, chunked': { isChunked: true },
  raw: { parser: 'raw', body: Buffer.from(letters) },
  text: { parser: 'text', body: Buffer.from(letters), isChunked: true },
  form: { parser: 'urlencoded', body: form },
  'verify throws': { options: { verify: fail } },
  'verify, asynchronous': { isOwn: true, options: { verify: soon } },
  'verify, rejected': { isOwn: true, options: { verify: () => soon().then(fail) } },
  'verify, pending': { isOwn: true, options: { verify: never, timeout: 100 } },
  'parse, synchronous': { isOwn: true, options: { parse: (text) => JSON.parse(text) } },
  'parse, asynchronous': { isOwn: true, options: { parse: (text) => soon().then(() => JSON.parse(text)) } },
  'parse, rejected': { isOwn: true, options: { parse: () => soon().then(fail) } },
  'parse, pending': { isOwn: true, options: { parse: never, timeout: 100 } },
  'invalid JSON': { body: Buffer.from(letters) },
  'one-shot gzip': { coding: 'gzip', body: gzip },
  'one-shot bomb': { coding: 'gzip', body: zlib.gzipSync(bomb) },
  'one-shot corrupt': { coding: 'gzip', body: corrupt },
  'one-shot br': { coding: 'br', body: zlib.brotliCompressSync(json) },
  'stream gzip': { coding: 'gzip', body: gzip, isChunked: true },
  'stream bomb': { coding: 'gzip', body: zlib.gzipSync(bomb), isChunked: true },
  'stream corrupt': { coding: 'gzip', body: corrupt, isChunked: true },
  'stream br': { coding: 'br', body: zlib.brotliCompressSync(json), isChunked: true },
  'stream deflate, over the limit': { coding: 'deflate', body: zlib.deflateSync(json), isChunked: true, options: { limit: 2000 } },
  'list of codings': { isOwn: true, coding: 'gzip, br', body: zlib.brotliCompressSync(gzip), options: { codingLists: true } },
  'coded bytes kept': { isOwn: true, coding: 'gzip', body: gzip, options: { rawBody: 'coded' } },
  cooperative: { isOwn: true, options: { cooperative: { threshold: 1000, slice: 0.01 } } },
  buffered: { isOwn: true, options: { buffered: true }, call: callers.buffered },
  promise: { isOwn: true, call: callers.promise },
  schema: { isOwn: true, options: { schema } },
  'charset refused': { type: 'application/json; charset=latin1' },
  'coding refused': { coding: 'compress' },
  'refused before reading': { options: { limit: 2000 } },
  'refused while reading': { isChunked: true, options: { limit: 3000 } },
  'refused while reading, over drainLimit': { isOwn: true, isChunked: true, options: { limit: 3000, drainLimit: 3500 } },
  'refused before reading, over drainLimit': { isOwn: true, options: { limit: 2000, drainLimit: 3000 } },
  'refused before reading, never sent': { isOwn: true, body: Buffer.from('0123456789'), declares: 70_000_000 },
  'stream bomb, over drainLimit': { isOwn: true, coding: 'gzip', body: zlib.gzipSync(bomb), isChunked: true, options: { drainLimit: 500 } },
  'body that is not all sent': { declares: 9000 },
  timeout: { isOwn: true, declares: 9000, options: { timeout: 60 } },
  'budget, refused': { isOwn: true, options: ({ createBudget }) => ({ budget: createBudget({ bytes: 3000 }) }) },
  'budget, waiting': { isOwn: true, options: ({ createBudget }) => ({ budget: createBudget({ bytes: 3000, wait: 40 }) }) },
  records: { isOwn: true, parser: 'ndjson', body: lines, call: callers.loop },
  'records, gzip': { isOwn: true, parser: 'ndjson', body: zlib.gzipSync(lines), coding: 'gzip', isChunked: true, call: callers.loop },
  'records, refused': { isOwn: true, parser: 'ndjson', body: Buffer.concat([lines, Buffer.from('1\n'), lines]), call: callers.loop },
  'records, refused, over drainLimit': { isOwn: true, parser: 'ndjson', body: Buffer.concat([Buffer.from('1\n'), lines]), call: callers.loop, options: { drainLimit: 100 } },
  multipart: { isOwn: true, parser: 'multipart', body: upload },
  'multipart, gzip': { isOwn: true, parser: 'multipart', body: zlib.gzipSync(upload), coding: 'gzip', isChunked: true },
  'multipart, refused': { isOwn: true, parser: 'multipart', body: upload, options: { fields: { max: 1 } } },
  'multer memory': { parser: 'multer', body: files },
  'multer disk': { parser: 'multer', body: files, hasFiles: true, options: ({ folder }) => ({ dest: folder }) },
  'multer engine': { parser: 'multer', body: files, options: () => ({ storage: engine() }) },
  'multer memory, refused': { parser: 'multer', body: files, options: { limits: { fileSize: 1000 } } },
  'multer disk, cut': { parser: 'multer', body: files.subarray(0, -5), hasFiles: true, options: ({ folder }) => ({ dest: folder }) },
  'multer disk, not all sent': { parser: 'multer', body: files, declares: 10_000, hasFiles: true, options: ({ folder }) => ({ dest: folder }) },
  web: { call: callers.web },
  'web, gzip': { coding: 'gzip', body: gzip, call: callers.web },
  'web, refused before reading': { call: callers.web, options: { limit: 2000, drainLimit: 3000 } },
  'web, refused while reading': { isChunked: true, call: callers.web, options: { limit: 3000 } },
  'web, refused while reading, over drainLimit': { isChunked: true, call: callers.web, options: { limit: 3000, drainLimit: 3500 } }
}

for (const name of ['identity, chunked', 'records', 'multipart', 'multer disk', 'multer engine', 'body that is not all sent', 'one-shot gzip', 'stream gzip', 'refused while reading', 'stream bomb', 'verify, asynchronous', 'parse, asynchronous']) {
  lanes[`${name}, guarded`] = { ...lanes[name], isGuarded: true }
}

const TYPES = { json: 'application/json', raw: 'application/octet-stream', text: 'text/plain', urlencoded: 'application/x-www-form-urlencoded', ndjson: 'application/x-ndjson', multipart: 'multipart/form-data; boundary=b', multer: 'multipart/form-data; boundary=b' }

for (const lane of Object.values(lanes)) {
  lane.parser ??= 'json'
  lane.type ??= TYPES[lane.parser]
  lane.body ??= json
}

module.exports = { lanes, PIECES }
