'use strict'

// Bodies that every client sends.

const object = { name: '論 é', list: [1, 2, { a: null }] }

module.exports = {
  object,
  json: JSON.stringify(object),
  large: { fill: 'x'.repeat(110_000) }, // over the limit of the JSON parser
  text: 'text é',
  bytes: Buffer.from([0, 1, 2, 255])
}
