'use strict'

const { escaped, json } = require('./bodies')
const { post } = require('./row')

const LIMIT = 16 * 1024 * 1024 // bytes; for the rows above the usual 100 KiB
const KIB = 1024 // bytes

/**
 * @param {string} what
 * @param {() => { bytes: Buffer, value: unknown }} content
 * @param {object} [how] it is posted: see row.js
 * @param {string[]} [requires] beside JSON
 * @returns {import('./row').Row}
 */
function row (what, content, how, requires = []) {
  return { name: `json ${what}`, requires: ['json', ...requires], build: () => post('json', content(), how) }
}

/** Mostly one packet with its header. */
function small (what, how, requires) {
  return row(`274 B${what}`, () => json(274), how, requires)
}

function revived () {
  const { bytes, value } = json(274)
  return { bytes, value: { ...value, id: value.id + 1 } }
}

const reviver = (name, value) => name === 'id' ? value + 1 : value

const rows = [
  small(''),
  small(', as a server feeds it', { served: true }),
  small(', with charset', { headers: { 'Content-Type': 'application/json; charset=utf-8' } }, ['charset']),
  small(', list of types', { options: { type: ['application/json', 'application/csp-report'] } }, ['types']),
  small(', lenient', { options: { strict: false } }, ['lenient']),
  small(', verify', { options: { verify () {} } }, ['verify']),
  row('274 B, reviver', revived, { options: { reviver } }, ['reviver']),
  small(', chunked', { chunked: true }),
  row('300 B, escapes in keys', () => escaped(300, 'keys')),
  ...['keys', 'all keys', 'different keys', 'values'].map((place) => {
    return row(`64 KB, escapes in ${place}`, () => escaped(64_000, place))
  }),
  row('300 B', () => json(300)),
  row('6.5 KB', () => json(6558))
]

for (const [size, bytes] of [['208 KB', 208500], ['1 MB', 1024 * KIB]]) {
  const large = (what, chunk, { ascii, chunked } = {}) => {
    const how = { options: { limit: LIMIT }, chunk: chunk * KIB, chunked }
    return row(`${size}, ${what}${chunk} KB chunks`, () => json(bytes, ascii), how)
  }
  for (const chunk of [1, 8, 64]) rows.push(large('', chunk))
  for (const chunk of [1, 8, 64]) rows.push(large('not ASCII, ', chunk, { ascii: false }))
  rows.push(large('chunked, ', 64, { chunked: true }))
}

module.exports = rows
