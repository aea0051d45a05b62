'use strict'

const assert = require('node:assert/strict')
const { describe, it } = require('mocha')
const { createRandom, shuffle } = require('../../../tools/random')
const { summarize } = require('../../../tools/statistics')

describe('tools/statistics', () => {
  it('summarizes samples', () => {
    assert.deepEqual(summarize([3, 1, 2, 5, 4]), { min: 1, median: 3, spread: 2 / 3 })
  })
})

describe('tools/random', () => {
  it('shuffles without losing anything, into every order, and in the same way for the same seed', () => {
    const ordersOf = (seed) => {
      const random = createRandom(seed)
      return Array.from({ length: 100 }, () => shuffle([1, 2, 3], random).join(''))
    }
    assert.deepEqual([...new Set(ordersOf(1))].sort(), ['123', '132', '213', '231', '312', '321'])
    assert.deepEqual(ordersOf(1), ordersOf(1))
    assert.notDeepEqual(ordersOf(1), ordersOf(2))
  })
})
