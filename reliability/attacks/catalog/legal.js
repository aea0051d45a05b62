'use strict'

// The yardsticks: ordinary bodies, as large as `limit` allows.

const { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } = require('node:zlib')
const { fill, list, MB, same } = require('./fill')

const record = (index) => JSON.stringify({ id: index, name: `user ${index}`, email: `user${index}@example.com`, active: true, tags: ['a', 'b'] })
const records = (size) => list('[', record, ']', size)

/** Cyrillic, so that everything is escaped but the spaces. */
const TEXT = 'Съешь же ещё этих мягких французских булок, да выпей чаю. '
const escaped = encodeURIComponent(TEXT.repeat(4)).replaceAll('%20', '+')
/** Letters that it has not, as browsers send them. */
const entities = Array.from('她喜歡在早晨的花園裡讀書'.repeat(7), (letter) => `%26%23${letter.codePointAt(0)}%3B`).join('')

/** No more than the default `parameterLimit` of 1,000 fields. */
const form = (value) => (size) => list('', (index) => `field${index}=${value}`, '', size, '&')
const nestedForm = (size) => list('', (index) => `list[${index >> 3}][${'abcdefgh'[index % 8]}]=${escaped}`, '', size, '&')

const compressors = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync }

const coded = (coding) => ({
  what: `1 MB of JSON in ${coding}`,
  ...json(MB),
  prepare: same(() => ({
    headers: { 'Content-Type': 'application/json', 'Content-Encoding': coding },
    pieces: [compressors[coding](records(MB))]
  }))
})

function json (size) {
  return {
    what: `${size / MB} MB of JSON`,
    parser: 'json',
    options: { limit: size },
    prepare: same(() => ({ headers: { 'Content-Type': 'application/json' }, pieces: [records(size)] }))
  }
}

function forms (what, make, options) {
  return {
    what: `1 MB of form${what}`,
    parser: 'urlencoded',
    options: { limit: MB, ...options },
    prepare: same(() => ({ headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, pieces: [make(MB)] }))
  }
}

/** Name -> what to run; the outcome must be 200. */
const legal = {
  json: json(MB),
  'json-gzip': coded('gzip'),
  'json-deflate': coded('deflate'),
  'json-br': coded('br'),
  'json-zstd': coded('zstd'),
  'json-gzip-crowd': { ...coded('gzip'), what: '100 x 1 MB of JSON in gzip at once', crowd: 100, laps: 2 },
  form: forms('', form(escaped)),
  'form-entities': forms(' in Latin-1 with entities', form(entities), { defaultCharset: 'iso-8859-1', interpretNumericEntities: true }),
  'form-nested': forms(' with brackets', nestedForm, { extended: true }),
  text: {
    what: '1 MB of text',
    parser: 'text',
    options: { limit: MB },
    prepare: same(() => ({ headers: { 'Content-Type': 'text/plain' }, pieces: [fill(TEXT, MB)] }))
  }
}

for (const [name, yardstick] of Object.entries(legal)) {
  yardstick.name = `legal ${name}`
  yardstick.expect = ['200']
}

module.exports = legal
