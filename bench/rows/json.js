'use strict'

const { escaped, json } = require('./bodies')
const { post } = require('./row')

const LIMIT = 16 * 1024 * 1024 // bytes; for the rows above the usual 100 KiB
const SMALL = 274 // bytes; mostly one packet with its header

const KIB = 1024 // bytes
const requires = ['json']

function revived ({ bytes, value }) {
  const reviver = (name, value) => name === 'id' ? value + 1 : value
  return post('json', { bytes, value: { ...value, id: value.id + 1 } }, { options: { reviver } })
}

/** @type {import('./row').Row[]} */
const rows = [
  {
    name: 'json 274 B',
    requires,
    close: true,
    heap: true,
    build: () => post('json', json(SMALL))
  },
  {
    name: 'json 274 B, as a server feeds it',
    requires,
    close: true,
    build: () => post('json', json(SMALL), { served: true })
  },
  {
    name: 'json 274 B, with charset',
    requires: [...requires, 'charset'],
    close: true,
    build: () => post('json', json(SMALL), { headers: { 'Content-Type': 'application/json; charset=utf-8' } })
  },
  {
    name: 'json 274 B, list of types',
    requires: [...requires, 'types'],
    close: true,
    build: () => post('json', json(SMALL), { options: { type: ['application/json', 'application/csp-report'] } })
  },
  {
    name: 'json 274 B, lenient',
    requires: [...requires, 'lenient'],
    close: true,
    build: () => post('json', json(SMALL), { options: { strict: false } })
  },
  {
    name: 'json 274 B, verify',
    requires: [...requires, 'verify'],
    close: true,
    build: () => post('json', json(SMALL), { options: { verify () {} } })
  },
  {
    name: 'json 274 B, reviver',
    requires: [...requires, 'reviver'],
    build: () => revived(json(SMALL))
  },
  {
    name: 'json 274 B, chunked',
    requires,
    build: () => post('json', json(SMALL), { chunked: true })
  },
  { name: 'json 300 B, escapes in keys', requires, build: () => post('json', escaped(300, 'keys')) },
  { name: 'json 64 KB, escapes in keys', requires, build: () => post('json', escaped(64 * 1000, 'keys')) },
  { name: 'json 64 KB, escapes in values', requires, build: () => post('json', escaped(64 * 1000, 'values')) },
  { name: 'json 300 B', requires, build: () => post('json', json(300)) },
  { name: 'json 6.5 KB', requires, heap: true, build: () => post('json', json(6558)) }
]

for (const [size, bytes] of [['208 KB', 208500], ['1 MB', 1024 * KIB]]) {
  for (const ascii of [true, false]) {
    const label = `json ${size}${ascii ? '' : ', not ASCII'}`
    for (const chunk of [1, 8, 64]) {
      rows.push({
        name: `${label}, ${chunk} KB chunks`,
        requires,
        close: chunk === 64,
        heap: chunk === 64 && ascii && bytes < 1e6,
        build: () => post('json', json(bytes, ascii), { options: { limit: LIMIT }, chunk: chunk * KIB })
      })
    }
  }
  rows.push({
    name: `json ${size}, chunked, 64 KB chunks`,
    requires,
    build: () => post('json', json(bytes), { options: { limit: LIMIT }, chunk: 64 * KIB, chunked: true })
  })
}

module.exports = rows
