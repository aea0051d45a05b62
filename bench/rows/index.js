'use strict'

// All kinds of requests that the parsers are measured with.

const { brotliCompressSync, deflateSync, gzipSync } = require('node:zlib')
const { escaped, form, json } = require('./bodies')
const { HEADERS, post } = require('./row')

const KIB = 1024 // bytes
const LIMIT = 16 * KIB * KIB // bytes; for the rows above the usual 100 KiB

/** @returns {import('./row').Row} a POST for one parser; `how` it is posted: see row.js */
function row (name, kind, content, how, requires = [kind]) {
  return { name, requires, build: () => post(kind, content(), how) }
}

/** Mostly one packet with its header. */
function small (what, how, requires = []) {
  return row(`json 274 B${what}`, 'json', () => json(274), how, ['json', ...requires])
}

function revived () {
  const { bytes, value } = json(274)
  return { bytes, value: { ...value, id: value.id + 1 } }
}

const reviver = (name, value) => name === 'id' ? value + 1 : value

const ofJson = [
  small(''),
  small(', as a server feeds it', { served: true }),
  small(', with charset', { headers: { 'Content-Type': 'application/json; charset=utf-8' } }, ['charset']),
  small(', list of types', { options: { type: ['application/json', 'application/csp-report'] } }, ['types']),
  small(', lenient', { options: { strict: false } }, ['lenient']),
  small(', verify', { options: { verify () {} } }, ['verify']),
  row('json 274 B, reviver', 'json', revived, { options: { reviver } }, ['json', 'reviver']),
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
  return row(`json ${label}, ${coding}`, 'json', content, how, ['json', coding])
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
  const requires = [nested ? 'nested form' : 'form']
  return row(name, 'urlencoded', () => form(count, nested), { options: { extended } }, requires)
}

const FORM = ['urlencoded', { extended: false }]
const STACK = [['json', {}], FORM, ['text', {}], ['raw', {}]]

/** A GET. Node makes the object of headers on the first read, which takes longer than all that the parsers do. */
function pass (more, how) {
  const build = () => ({ method: 'GET', headers: HEADERS, chunks: [], parsers: STACK, skips: true, ...how })
  return { name: `GET through 4 parsers${more}`, requires: ['GET'], build }
}

const LARGE = json(110000) // over the usual limit of 100 KiB
const CHUNK = 64 * KIB
const BAD = { bytes: Buffer.from(json(274).bytes.toString().replace('"active":', '"active"')) }
const LATIN1 = { headers: { 'Content-Type': 'application/json; charset=latin1' } }

/** What a flood of bad requests costs. */
function refused (what, requires, status, content, how) {
  const build = () => ({ ...post('json', content, how), status })
  return { name: `refused: ${what}`, requires: ['json', requires], build }
}

/** @type {import('./row').Row[]} */
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
  ...[5, 50, 500].map((count) => fields(count, { nested: true })),
  pass('', { headersRead: true }),
  pass(', headers unread', { headersRead: false }),
  pass(', of Express', { headersRead: true, ofExpress: true }),
  {
    name: 'json 274 B, behind a form parser',
    requires: ['type check', 'json'],
    build: () => ({ ...post('json', json(274)), parsers: [FORM, ['json', {}]] })
  },
  refused('over the limit by its length', 'length limit', 413, LARGE, { chunk: CHUNK }),
  refused('over the limit by its bytes', 'byte limit', 413, LARGE, { chunk: CHUNK, chunked: true }),
  refused('bad JSON', 'json errors', 400, BAD),
  refused('wrong charset', 'charset errors', 415, json(274), LATIN1)
]
