'use strict'

const assert = require('node:assert/strict')
const { describe, it } = require('mocha')
const medianTable = require('../../../bench/suite/median-table')

describe('bench/suite/median-table', () => {
  it('keeps a column for each name, also where a step has no such sample', () => {
    const steps = [['one', { a: [2, 1, 3], b: [4] }], ['two', { b: [8], c: [null] }]]
    assert.deepEqual(medianTable('x', steps, () => 'b'), {
      title: 'x',
      head: ['', 'a', 'b', 'c'],
      rows: [['one', '2 (0.50)', '4 (1.00)', ''], ['two', '', '8 (1.00)', 'refuses']]
    })
  })
})
