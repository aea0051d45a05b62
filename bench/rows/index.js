'use strict'

// All kinds of requests that the parsers are measured with.

const { brotliCompressSync, deflateSync, gzipSync } = require('node:zlib')
const { escaped, form, json } = require('./bodies')

const KIB = 1024 // bytes
const LIMIT = 16 * KIB * KIB // bytes; for the rows above the usual 100 KiB
const HEADERS = { Host: 'localhost:3000', 'User-Agent': 'bench', Accept: '*/*' }
const MEDIA_TYPES = {
  json: 'application/json',
  raw: 'application/octet-stream',
  text: 'text/plain',
  urlencoded: 'application/x-www-form-urlencoded'
}

/**
 * @typedef {object} Row one kind of work
 * @property {string} name
 * @property {string} [requires] what a competitor may lack
 * @property {() => Work} build
 *
 * @typedef {object} Work
 * @property {string} kind the parser
 * @property {object} options of it
 * @property {Record<string, string>} headers
 * @property {Buffer[]} chunks sent a tick apart
 * @property {unknown} value that the body must have
 * @property {boolean} served as from a busy server: several requests come in one turn of the event loop, and the end of
 *   each a tick after its bytes
 */

/** As a server reads them: not in the pool of small Buffers, from which parsers that keep bytes copy them. */
const alone = (bytes) => Buffer.from(Uint8Array.from(bytes).buffer)

/** @returns {Buffer[]} views of `size` bytes, the last one of what is left */
function split (bytes, size) {
  const chunks = []
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size))
  return chunks
}

/**
 * @param {string} name
 * @param {string} kind json, raw, text or urlencoded
 * @param {() => { bytes: Buffer, value: unknown }} content
 * @param {object} [how] options of the parser, headers instead of the usual ones, bytes of a chunk if it is not one
 *   alone, whether with transfer-encoding instead of a length, and `served`
 * @param {string} [requires]
 * @returns {Row}
 */
function row (name, kind, content, { options = {}, headers, chunk = Infinity, chunked, served } = {}, requires) {
  function build () {
    const { bytes, value } = content()
    const framing = chunked ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': String(bytes.length) }
    const all = { ...HEADERS, 'Content-Type': MEDIA_TYPES[kind], ...framing, ...headers }
    return { kind, options, headers: all, chunks: split(alone(bytes), chunk), value, served }
  }
  return { name, requires, build }
}

const small = (what, how, requires) => row(`json 274 B${what}`, 'json', () => json(274), how, requires)

function revived () {
  const { bytes, value } = json(274)
  return { bytes, value: { ...value, id: value.id + 1 } }
}

const reviver = (name, value) => name === 'id' ? value + 1 : value

const ofJson = [
  small(''),
  small(', as a server feeds it', { served: true }),
  small(', with charset', { headers: { 'Content-Type': 'application/json; charset=utf-8' } }, 'charset'),
  small(', list of types', { options: { type: ['application/json', 'application/csp-report'] } }, 'types'),
  small(', lenient', { options: { strict: false } }),
  small(', verify', { options: { verify () {} } }, 'verify'),
  row('json 274 B, reviver', 'json', revived, { options: { reviver } }),
  small(', chunked', { chunked: true }),
  row('json 300 B, escapes in keys', 'json', () => escaped(300, 'keys')),
  ...['keys', 'all keys', 'different keys', 'values'].map((place) => {
    return row(`json 64 KB, escapes in ${place}`, 'json', () => escaped(64_000, place))
  }),
  row('json 300 B', 'json', () => json(300)),
  row('json 6.5 KB', 'json', () => json(6558))
]

for (const [size, bytes] of [['208 KB', 208500], ['1 MB', 1024 * KIB]]) {
  const large = (what, chunk, { ascii, chunked } = {}) => {
    const how = { options: { limit: LIMIT }, chunk: chunk * KIB, chunked }
    return row(`json ${size}, ${what}${chunk} KB chunks`, 'json', () => json(bytes, ascii), how)
  }
  for (const chunk of [1, 8, 64]) ofJson.push(large('', chunk))
  for (const chunk of [1, 8, 64]) ofJson.push(large('not ASCII, ', chunk, { ascii: false }))
  ofJson.push(large('chunked, ', 64, { chunked: true }))
}

const ENCODERS = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }

/** One at a time, most of body-parser's time would be the wait for zlib's threads. */
function coded (coding, label, size) {
  const content = () => {
    const { bytes, value } = json(size)
    return { bytes: ENCODERS[coding](bytes), value }
  }
  const how = { headers: { 'Content-Encoding': coding }, served: true }
  return row(`json ${label}, ${coding}`, 'json', content, how, coding)
}

/** Nothing is parsed, so all of the time is reading. */
function unparsed (kind, label, size) {
  return row(`${kind} ${label}`, kind, () => {
    const { bytes } = json(size)
    return { bytes, value: kind === 'text' ? bytes.toString() : bytes }
  })
}

function fields (count, { nested = false, extended = nested } = {}) {
  const name = `form, ${count} ${nested ? 'nested ' : ''}fields${extended && !nested ? ', extended' : ''}`
  const requires = nested ? 'nested form' : undefined
  return row(name, 'urlencoded', () => form(count, nested), { options: { extended } }, requires)
}

/** @type {Row[]} */
module.exports = [
  ...ofJson,
  coded('gzip', '274 B', 274),
  ...Object.keys(ENCODERS).flatMap((coding) => [
    coded(coding, '300 B', 300), coded(coding, '6.5 KB', 6558), coded(coding, '60 KB', 60000)
  ]),
  ...['text', 'raw'].flatMap((kind) => [unparsed(kind, '274 B', 274), unparsed(kind, '60 KB', 60000)]),
  fields(5),
  fields(5, { extended: true }),
  ...[50, 500].map((count) => fields(count)),
  ...[5, 50, 500].map((count) => fields(count, { nested: true }))
]
