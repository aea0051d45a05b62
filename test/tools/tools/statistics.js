'use strict'

// Expected values come from other programs and from tables.

const assert = require('node:assert/strict')
const { describe, it } = require('mocha')
const { createRandom, shuffle } = require('../../../tools/random')
const { fitLine, quantile, summarize } = require('../../../tools/statistics')

function near (actual, expected, tolerance) {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected}`)
}

describe('tools/statistics', () => {
  it('interpolates quantiles as R does', () => {
    near(quantile([1, 2, 3, 4], 0.25), 1.75, 1e-12)
    near(quantile([19, 2, -3, 0.5, 2], 0.9), 12.2, 1e-12)
  })

  it('fits a line, with the interval of its slope', () => {
    const { slope, low, high } = fitLine([1, 2, 3, 4, 5], [2, 4, 5, 4, 5]) // R: lm(), confint(): 0.6, -0.3 to 1.5
    near(slope, 0.6, 1e-12)
    near(low, -0.3001, 1e-3)
    near(high, 1.5001, 1e-3)
    const exact = fitLine([0, 1, 2], [1, 3, 5])
    near(exact.slope, 2, 1e-12)
    near(exact.high, 2, 1e-9)
  })

  it('summarizes samples', () => {
    assert.deepEqual(summarize([3, 1, 2, 5, 4]), { min: 1, median: 3, spread: 2 / 3 })
  })
})

describe('tools/random', () => {
  it('gives the same numbers for the same seed', () => {
    const [a, b, c] = [createRandom(7), createRandom(7), createRandom(8)]
    const first = [a(), a(), a()]
    assert.deepEqual([b(), b(), b()], first)
    assert.notEqual(c(), first[0])
  })

  it('shuffles without losing anything, into every order', () => {
    const random = createRandom(1)
    const orders = new Set()
    for (let i = 0; i < 100; i++) orders.add(shuffle([1, 2, 3], random).join(''))
    assert.deepEqual([...orders].sort(), ['123', '132', '213', '231', '312', '321'])
  })
})
