'use strict'

const assert = require('node:assert/strict')
const { describe, it } = require('mocha')
const { createRandom, shuffle } = require('../../../tools/random')
const { fitLine, summarize } = require('../../../tools/statistics')

describe('tools/statistics', () => {
  it('fits a line, with the interval of its slope', () => {
    const rounded = ({ slope, low, high }) => [slope, low, high].map((value) => Number(value.toFixed(3)))
    assert.deepEqual(rounded(fitLine([1, 2, 3, 4, 5], [2, 4, 5, 4, 5])), [0.6, -0.3, 1.5]) // R: lm(), confint()
    assert.deepEqual(rounded(fitLine([0, 1, 2], [1, 3, 5])), [2, 2, 2])
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
