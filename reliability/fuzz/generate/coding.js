'use strict'

// Content codings: right, wrong, truncated, damaged, with bytes after the end.

const fc = require('fast-check')
const { mostly, oneOf } = require('./weigh')

const permille = fc.integer({ min: 0, max: 999 })

const NAMES = ['gzip', 'deflate', 'br', 'zstd']
const WRONG = [
  'x-gzip', 'gzip, br', 'gzip,', ' ', 'compress', 'GZIP', 'Br', 'DEFLATE', 'identity', 'Identity',
  'identity, identity', 'toString', '__proto__', '*', 'deflate-raw', 'none', ''
]

const fault = oneOf(
  [2, fc.record({ kind: fc.constant('truncate'), at: permille })],
  [1, fc.record({ kind: fc.constant('truncate'), at: fc.constantFrom(0, -1, -4, -8) })],
  [
    2,
    fc.record({
      kind: fc.constant('trail'),
      bytes: fc.constantFrom('00', '0000', '01', '1f', '1f8b', '1f8b08', 'ff', '616263', '00'.repeat(50), '00616263',
        '78da')
    })
  ],
  [2, fc.record({ kind: fc.constant('damage'), at: permille, mask: fc.constantFrom(1, 0x80, 0xFF, 0x20) })],
  [1, fc.record({ kind: fc.constant('again'), times: fc.integer({ min: 1, max: 3 }) })],
  [1, fc.record({ kind: fc.constant('empty') })],
  [1, fc.record({ kind: fc.constant('plain') })]
)

/**
 * @typedef {object} Coding
 * @property {string} header value of Content-Encoding
 * @property {string[]} applied codings, the innermost first
 * @property {object} [fault] what is wrong with the coded bytes
 * @property {number} level how hard to compress
 */

const coding = fc.tuple(fc.constantFrom(...NAMES), mostly(undefined, fault, 1),
  mostly(undefined, fc.constantFrom(...NAMES, ...WRONG), 8), mostly(undefined, fc.constantFrom(...NAMES, 'raw'), 15),
  fc.constantFrom(1, 0, 9))
  .map(([name, fault, other, second, level]) => ({
    header: other ?? name,
    applied: second === undefined ? [name] : [name, second],
    fault,
    level
  }))

const bare = fc.record({
  header: fc.constantFrom('identity', 'Identity', '', ...WRONG),
  applied: fc.constant([]),
  fault: fc.constant(undefined),
  level: fc.constant(1)
})

module.exports = { coding: oneOf([14, fc.constant(undefined)], [5, coding], [1, bare]) }
