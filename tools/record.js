'use strict'

// JSON of any length, the same in every run: perf/ sends it, and bench/ parses it.

const LAST = 'the-end!'

/**
 * An object as APIs receive it, of a given length as JSON.
 *
 * @param {number} bytes at least 120
 * @param {string} [comment] a text that is repeated in it
 * @returns {object}
 */
function recordOf (bytes, comment = 'plain words') {
  const tags = ['first', 'analyst']
  const value = { id: 4711, name: 'Ada Lovelace', tags, active: true, items: [], note: '', last: LAST }
  for (let size = sizeOf(value); size + 100 < bytes;) {
    const next = item(value.items.length, comment)
    size += sizeOf(next) + 1 // a comma
    value.items.push(next)
  }
  value.note = 'x'.repeat(bytes - sizeOf(value))
  return value
}

function item (i, comment) {
  return { sku: `A-${1000 + i % 9000}`, price: (i % 97) + 0.5, amount: i % 7, comment }
}

function sizeOf (value) {
  return Buffer.byteLength(JSON.stringify(value))
}

module.exports = { LAST, recordOf }
