'use strict'

// Payloads of an exact size, the same in every run.

const LAST = 'the-end!' // 8 characters, which the answer `tail` consists of

/**
 * An object as APIs receive it, of a given length as JSON.
 *
 * @param {number} bytes at least 120
 * @param {string} [comment] a text that is repeated in it
 * @returns {object}
 */
function record (bytes, comment = 'plain words') {
  const value = { id: 4711, name: 'Ada Lovelace', tags: ['first', 'analyst'], active: true, items: [], note: '', last: LAST }
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

/** Plain words of a given length. */
function words (bytes) {
  return 'The quick brown fox jumps over the lazy dog. '.repeat(Math.ceil(bytes / 45)).slice(0, bytes - LAST.length) + LAST
}

/** Bytes of every value, of a given length. */
function binary (bytes) {
  const body = Buffer.from(Array.from({ length: bytes }, (_, i) => (i * 167 + 13) % 256))
  body.write(LAST, bytes - LAST.length, 'latin1')
  return body
}

module.exports = { record, words, binary, LAST }
