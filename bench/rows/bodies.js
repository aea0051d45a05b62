'use strict'

// The bodies of the rows, the same in every run, with the values that they have.

const { recordOf } = require('../../tools/record')

const WORLD = 'Zoë, 山田太郎, Łukasz Żak, Ольга 🚀'

/** JSON of so many bytes, at least 120. */
function json (bytes, ascii = true) {
  const value = recordOf(bytes, ascii ? undefined : WORLD)
  return { bytes: Buffer.from(JSON.stringify(value)), value }
}

/** Records by number, by the place of their escapes. */
const ESCAPED = {
  keys: (id) => ({ id, prénom: 'Ada', année: 1815, 'données "clé"': null, active: true }),
  'all keys': (id) => ({ '"id"': id, '"name"': 'Ada', '"year"': 1815, '"note"': null, '"active"': true }),
  'different keys': (id) => ({ [`"${id}"`]: 1 }),
  values: (id) => ({ id, name: 'Renée Müller', year: 1815, note: 'deux lignes\nà "lire"', active: true })
}

/**
 * Records as Python's `json.dumps` writes them, with an escape for each character that is not ASCII.
 *
 * @param {number} bytes about so many
 * @param {keyof ESCAPED} place of the escapes
 */
function escaped (bytes, place) {
  const record = ESCAPED[place]
  const escape = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  const ascii = (value) => JSON.stringify(value).replace(/[\x80-\uFFFF]/g, escape)
  const count = Math.max(Math.round(bytes / ascii(record(0)).length), 1)
  const value = Array.from({ length: count }, (_, id) => record(id))
  return { bytes: Buffer.from(ascii(value)), value }
}

/** A form with that many fields; with brackets in the names, if it is nested. */
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
