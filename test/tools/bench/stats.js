'use strict'

const assert = require('node:assert')
const { judge, judgeCold } = require('../../../bench/floors')
const { SERIES, exponentsOf, rowsOf } = require('../../../bench/growth')
const { exponent, formatExponent, over, summarize } = require('../../../bench/stats')

function near (actual, expected) {
  assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`)
}

describe('bench: arithmetic', () => {
  it('takes minimum, median and spread', () => {
    assert.deepStrictEqual(summarize([5, 1, 3, 2, 4]), { min: 1, median: 3, spread: 2 / 3 })
    assert.deepStrictEqual(summarize([7]), { min: 7, median: 7, spread: 0 })
  })

  it('says how far over bare, body-parser being 1', () => {
    near(over(100, 200, 100), 0)
    near(over(200, 200, 100), 1)
    near(over(110, 200, 100), 0.1)
    near(over(90, 200, 100), -0.1)
  })

  it('fits the exponent of a power law', () => {
    const law = (e) => [1, 10, 100, 1000, 10000].map((x) => [x, 5 * x ** e])
    for (const e of [0, 0.5, 1, 2]) near(exponent(law(e)), e)
  })

  it('takes the upper half of the points, and no minus before a zero', () => {
    near(exponent([[1, 9], [2, 9], [4, 9], [8, 3], [16, 6], [32, 12]]), 1)
    assert.strictEqual(formatExponent(-0.004), '0.00')
    assert.strictEqual(formatExponent(-0.25), '-0.25')
  })

  it('fits it where a constant hides it no more', () => {
    const points = [1, 10, 100, 1e3, 1e4, 1e5, 1e6].map((x) => [x, 1000 + 3 * x])
    assert.ok(exponent(points) > 0.85)
    const square = [1, 10, 100, 1e3, 1e4].map((x) => [x, 1000 + x + 0.01 * x * x])
    assert.ok(exponent(square) > 1.2, 'worse than linear must show')
  })
})

describe('bench: floors', () => {
  const results = {
    bare: { times: [100, 120, 140], bytes: { heap: 1000 } },
    'body-parser': { times: [200, 240, 280], bytes: { heap: 2000 } },
    ours: { times: [110, 150, 150], bytes: { heap: 1500 } }
  }

  it('judges each ratio by minimums and medians', () => {
    const verdicts = judge({ name: 'x', floor: { over: 0.12, total: 0.5, bare: 1, heapOver: 0.25 }, results })
    assert.deepStrictEqual(verdicts.map(({ measure, most }) => [measure, most]), [
      ['over', 0.12], ['of body-parser', 0.5], ['of bare', 1], ['over, heap', 0.25]
    ])
    const [a, b, c, d] = verdicts
    near(a.best, 0.1)
    near(a.middle, 0.25)
    near(b.best, 0.55)
    near(b.middle, 0.625)
    near(c.best, 1.1)
    near(c.middle, 1.25)
    near(d.best, 0.5)
  })

  it('has nothing to say of rows without one', () => {
    assert.deepStrictEqual(judge({ name: 'x', results }), [])
  })

  it('reaches nothing with a wrong value', () => {
    const [verdict] = judge({ name: 'x', floor: { over: 0.12 }, results: { ...results, ours: { wrong: 'parsed another value' } } })
    assert.strictEqual(verdict.best <= verdict.most, false)
  })

  it('judges cold starts, whole by whole and json by json', () => {
    const [whole, alone, modules] = judgeCold({
      ours: { times: [10, 12], modules: 99 },
      'ours, json alone': { times: [2, 4], modules: 12 },
      'body-parser': { times: [20, 20], modules: 89 },
      'body-parser, json alone': { times: [8, 8], modules: 80 }
    })
    near(whole.best, 0.5)
    near(whole.middle, 0.55)
    near(alone.best, 0.25)
    near(alone.middle, 0.375)
    assert.strictEqual(modules.best, 12)
  })
})

describe('bench: growth', () => {
  const [series] = SERIES

  function measured (cost) {
    return rowsOf(series).map(({ name, size }) => {
      const times = [2 * cost(size), cost(size)]
      return { name, results: { bare: { times }, ours: { times }, 'body-parser': { times } } }
    })
  }

  it('finds the exponent of each competitor', () => {
    const { exponents } = exponentsOf(series, measured((size) => 3 * size ** 2))
    assert.deepStrictEqual(Object.keys(exponents), ['bare', 'ours', 'body-parser'])
    near(exponents.ours, 2)
  })

  it('says nothing of a part of a series', () => {
    assert.strictEqual(exponentsOf(series, measured((size) => size).slice(1)), null)
  })
})
