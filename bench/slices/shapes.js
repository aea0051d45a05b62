'use strict'

// Large JSON of every shape that a body can have. Nothing here is random.

function record (i) {
  const address = { street: `Main Street ${i}`, city: 'Springfield', zip: String(10000 + i % 90000) }
  return { id: i, name: `user ${i}`, email: `user${i}@example.org`, tags: ['a', 'b', 'c'], active: i % 3 !== 0, score: i * 1.5, address }
}

function indented (i) {
  return `\n    ${JSON.stringify(record(i), null, 2).replaceAll('\n', '\n    ')}`
}

function list (length, item) {
  return JSON.stringify(Array.from({ length }, (_, i) => item(i)))
}

/** Name -> what is before the items, an item, what is between them, and what is behind. */
const SHAPES = {
  records: ['[', (i) => JSON.stringify(record(i)), ',', ']'],
  wrapped: ['{\n  "data": [', indented, ',', '\n  ]\n}'], // pretty-printed
  numbers: ['[', (i) => String(i * 7), ',', ']'],
  floats: ['[', (i) => String(i * 7.1), ',', ']'],
  keys: ['{', (i) => `"key${i}":${i}`, ',', '}'],
  map: ['{', (i) => `"key${i}":${JSON.stringify(record(i))}`, ',', '}'],
  matrix: ['[', (i) => list(1000, (j) => i * j), ',', ']'],
  strings: ['[', (i) => JSON.stringify(`line\n"quoted" é ${i} `.repeat(40)), ',', ']'], // full of escapes
  string: ['{"a":"', (i) => `text \\n\\u00e9 é ${i} `, '', '"}'], // a single one, of escapes
  text: ['["', (i) => `some plain text ${i} `, '', '"]'], // a single one, of ASCII without any
  deep: null
}

const PIECE = 64 * 1024 // characters

/**
 * @param {string} name of SHAPES
 * @param {number} bytes in which it is to end, but for the last item
 * @returns {Generator<string>} the text, in pieces
 */
function * shape (name, bytes) {
  if (name === 'deep') return yield * nested(bytes)
  const [head, item, separator, tail] = SHAPES[name]
  let piece = head
  let left = bytes - head.length - tail.length
  for (let i = 0; left > 0; i++) {
    const next = (i === 0 ? '' : separator) + item(i)
    left -= Buffer.byteLength(next)
    piece += next
    if (piece.length >= PIECE) {
      yield piece
      piece = ''
    }
  }
  yield piece + tail
}

function * nested (bytes) {
  for (const bracket of ['[', ']']) {
    for (let left = Math.max(1, Math.floor(bytes / 2)); left > 0; left -= PIECE) yield bracket.repeat(Math.min(left, PIECE))
  }
}

module.exports = { shape, SHAPES }
