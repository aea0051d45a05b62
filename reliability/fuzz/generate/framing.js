'use strict'

// The framing of a message: a declared length, chunks, a wrong one, or none.

const fc = require('fast-check')
const { mostly, oneOf } = require('./weigh')

const off = mostly(0,
  oneOf([2, fc.integer({ min: -4, max: 6 })], [1, fc.constantFrom(1000, 200_000, -1000, 5_000_000_000)]), 14)
const TRANSFER = [
  'Chunked', 'gzip, chunked', 'identity, chunked', 'chunked, chunked', 'identity', 'gzip', 'chunked;x=y', 'x', ''
]

const declared = fc.record({ kind: fc.constant('length'), off, transfer: fc.constant(undefined) })
const chunked = fc.record({
  kind: fc.constant('chunked'),
  sizes: fc.array(fc.integer({ min: 1, max: 999 }), { maxLength: 4 }),
  fault: mostly(
    undefined,
    fc.constantFrom('extension', 'trailer', 'unfinished', 'no size', 'too long', 'half a size', 'no last break',
      'upper case'),
    8
  ),
  transfer: mostly('chunked', fc.constantFrom(...TRANSFER), 20)
})
const both = fc.record({ kind: fc.constant('both'), off, transfer: fc.constantFrom('chunked', 'identity', 'x') })
const none = fc.record({ kind: fc.constant('none') })

module.exports = { framing: oneOf([40, declared], [22, chunked], [1, both], [2, none]) }
