'use strict'

const assert = require('node:assert/strict')
const { describe, it } = require('mocha')
const barChart = require('../../../tools/chart')
const { createRandom, shuffle } = require('../../../tools/random')
const textTable = require('../../../tools/text-table')

describe('tools/text-table', () => {
  it('aligns figures to the right', () => {
    assert.equal(textTable(['', 'A', 'change'], [['CPU', '5 us', '+3.1 %'], ['latency, p99', '12.5 ms', '']]), [
      '                      A  change',
      '  CPU              5 us  +3.1 %',
      '  latency, p99  12.5 ms'
    ].join('\n'))
  })
})

describe('tools/chart', () => {
  it('draws bars in proportion, and says in words what it shows', () => {
    const svg = barChart({ title: 'Time', subtitle: ['a & b'], bars: [{ name: 'one', note: '', value: 1 }, { name: 'two', note: 'x', value: 2, color: 'ours' }] })
    const [, one, two] = /width="([\d.]+)" height="24".*width="([\d.]+)" height="24"/s.exec(svg)
    assert.equal(two / one, 2)
    assert.match(svg, /<title>Time: one 1\.0, two 2\.0<\/title>/)
    assert.match(svg, /a &#38; b/)
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
