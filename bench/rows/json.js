'use strict'

const { escaped, json } = require('./bodies')
const { post } = require('./row')

const LIMIT = 16 * 1024 * 1024 // bytes; for the rows above the usual 100 KiB
const SMALL = 274 // bytes; mostly one packet with its header
const KIB = 1024 // bytes

/**
 * @param {string} what
 * @param {() => { bytes: Buffer, value: unknown }} content
 * @param {object} [how] it is posted: see row.js
 * @param {object} [more] properties of the row
 * @returns {import('./row').Row}
 */
function row (what, content, how, { requires = [], ...more } = {}) {
  return { name: `json ${what}`, requires: ['json', ...requires], ...more, build: () => post('json', content(), how) }
}

const small = () => json(SMALL)

function revived () {
  const { bytes, value } = json(SMALL)
  return { bytes, value: { ...value, id: value.id + 1 } }
}

const reviver = (name, value) => name === 'id' ? value + 1 : value

const rows = [
  row('274 B', small, {}),
  row('274 B, as a server feeds it', small, { served: true }),
  row('274 B, with charset', small, { headers: { 'Content-Type': 'application/json; charset=utf-8' } }, { requires: ['charset'] }),
  row('274 B, list of types', small, { options: { type: ['application/json', 'application/csp-report'] } }, { requires: ['types'] }),
  row('274 B, lenient', small, { options: { strict: false } }, { requires: ['lenient'] }),
  row('274 B, verify', small, { options: { verify () {} } }, { requires: ['verify'] }),
  row('274 B, reviver', revived, { options: { reviver } }, { requires: ['reviver'] }),
  row('274 B, chunked', small, { chunked: true }),
  row('300 B, escapes in keys', () => escaped(300, 'keys')),
  row('64 KB, escapes in keys', () => escaped(64 * 1000, 'keys')),
  row('64 KB, escapes in all keys', () => escaped(64 * 1000, 'all keys')),
  row('64 KB, escapes in different keys', () => escaped(64 * 1000, 'different keys')),
  row('64 KB, escapes in values', () => escaped(64 * 1000, 'values')),
  row('300 B', () => json(300)),
  row('6.5 KB', () => json(6558))
]

for (const [size, bytes] of [['208 KB', 208500], ['1 MB', 1024 * KIB]]) {
  for (const ascii of [true, false]) {
    for (const chunk of [1, 8, 64]) {
      rows.push(row(`${size}${ascii ? '' : ', not ASCII'}, ${chunk} KB chunks`, () => json(bytes, ascii), { options: { limit: LIMIT }, chunk: chunk * KIB }))
    }
  }
  rows.push(row(`${size}, chunked, 64 KB chunks`, () => json(bytes), { options: { limit: LIMIT }, chunk: 64 * KIB, chunked: true }))
}

module.exports = rows
