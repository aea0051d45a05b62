'use strict'

// The bodies of the rows, the same in every run.

const PLAIN = ['Ada Lovelace', 'Grace Hopper', 'Alan Turing', 'Barbara Liskov']
const WORLD = ['Zoë Müller', '山田太郎', 'Łukasz Żak', 'Ольга 🚀 Ива']

function record (id, names) {
  return {
    id,
    name: names[id % names.length],
    email: `user${id}@example.org`,
    active: id % 3 !== 0,
    score: id * 1.5,
    roles: ['author', 'editor'],
    address: { street: `${id} Main Street`, city: 'Springfield', zip: '12345' },
    note: null
  }
}

/**
 * JSON of exactly `bytes` bytes: one record, or an array of records of about 417 bytes each.
 *
 * @param {number} bytes at least 200
 * @param {boolean} [ascii=true] false: every string value holds other characters
 * @returns {{ bytes: Buffer, value: unknown }}
 */
function json (bytes, ascii = true) {
  const names = ascii ? PLAIN : WORLD
  const count = Math.max(Math.floor(bytes / 417), 1)
  const records = Array.from({ length: count }, (_, id) => record(id, names))
  const value = count === 1 ? records[0] : records
  const each = Math.floor((bytes - sizeOf(value)) / count)
  for (const item of records) item.note = filler(each, ascii)
  records[0].note = filler(sizeOf(records[0].note) - 2 + bytes - sizeOf(value), ascii)
  return { bytes: Buffer.from(JSON.stringify(value)), value }
}

function sizeOf (value) {
  return Buffer.byteLength(JSON.stringify(value))
}

/** A string of `bytes` bytes in UTF-8, a third of them in two-byte characters. */
function filler (bytes, ascii) {
  const unit = ascii ? 'text ' : 'tëxt' // five bytes either way
  const whole = unit.repeat(Math.max(Math.floor(bytes / 5), 0))
  return whole.padEnd(whole.length + bytes - Buffer.byteLength(whole), '.')
}

/** Records by number, by the place of their escapes. */
const ESCAPED = {
  keys: (id) => ({ id, prénom: 'Ada', année: 1815, 'données "clé"': null, active: true }),
  'all keys': (id) => ({ '"id"': id, '"name"': 'Ada', '"year"': 1815, '"note"': null, '"active"': true }),
  'different keys': (id) => ({ [`"${id}"`]: 1 }),
  values: (id) => ({ id, name: 'Renée Müller', year: 1815, note: 'deux lignes\nà "lire"', active: true })
}

/**
 * The same records as Python's `json.dumps` writes them, with an escape for each
 * character that is not ASCII.
 *
 * @param {number} bytes about so many
 * @param {keyof ESCAPED} place of the escapes
 * @returns {{ bytes: Buffer, value: unknown }}
 */
function escaped (bytes, place) {
  const record = ESCAPED[place]
  const escape = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  const ascii = (value) => JSON.stringify(value).replace(/[\x80-\uFFFF]/g, escape)
  const count = Math.max(Math.round(bytes / ascii(record(0)).length), 1)
  const value = Array.from({ length: count }, (_, id) => record(id))
  return { bytes: Buffer.from(ascii(value)), value }
}

/**
 * A form with that many fields.
 *
 * @param {number} fields
 * @param {boolean} nested names with brackets
 * @returns {{ bytes: Buffer, value: object }}
 */
function form (fields, nested) {
  const value = {}
  const pairs = []
  for (let i = 0; i < fields; i++) {
    const name = `${nested ? 'group' : 'field'}${i}`
    const content = `value${i % 2 === 0 ? ' ' : ''}${i}`
    value[name] = nested ? { name: content } : content
    pairs.push(`${name}${nested ? '[name]' : ''}=${content.replace(' ', '+')}`)
  }
  return { bytes: Buffer.from(pairs.join('&')), value }
}

module.exports = { escaped, form, json }
