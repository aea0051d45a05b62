'use strict'

const assert = require('node:assert/strict')
const { describe, it } = require('mocha')
const { spanOf, tableOf } = require('../../../bench/table')

describe('bench/table', () => {
  const results = { one: { a: [2, 1, 3], b: [4] }, two: { b: [8], c: [null] } }

  it('keeps a column for each way, also where a row has no such figure', () => {
    assert.deepEqual(tableOf('x', results, { peerOf: () => 'b' }), {
      title: 'x',
      head: ['', 'a', 'b', 'c'],
      rows: [['one', '2 (0.50)', '4 (1.00)', ''], ['two', '', '8 (1.00)', 'refuses']]
    })
  })

  it('shows between what the figures are', () => {
    assert.deepEqual(tableOf('x', results, { textOf: spanOf }).rows[0], ['one', '2 (1-3)', '4 (4-4)', ''])
  })
})
