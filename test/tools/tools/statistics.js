'use strict'

// Values of other programs and tables: what a package is swapped in for must
// keep its meaning.

const assert = require('node:assert/strict')
const { createRequire } = require('node:module')
const { describe, it } = require('mocha')
const { createRandom } = require('../../../tools/random')
const { fitLine, median, normalTail, quantile, squaredError, studentInterval, studentQuantile, summarize } = require('../../../tools/statistics')

const { jStat } = createRequire(require.resolve('../../../tools/package.json'))('jstat')

function near (actual, expected, tolerance) {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected}`)
}

describe('tools/statistics', () => {
  it('interpolates quantiles as jstat does', () => {
    for (const values of [[1, 2, 3, 4], [1, 2], [-3, 0.5, 2, 2, 19]]) {
      for (const portion of [0.01, 0.25, 0.5, 0.9, 0.975]) {
        near(quantile(values, portion), jStat.quantiles(values, [portion], 1, 1)[0], 1e-12)
      }
      near(quantile(values, 0.5), median(values), 1e-12)
      assert.deepEqual([quantile(values, 0), quantile(values, 1)], [values[0], values.at(-1)])
    }
  })

  it('knows Student\'s t, of the tables', () => {
    for (const [freedom, tail, t] of [
      [1, 0.025, 12.7062], [2, 0.025, 4.30265], [4, 0.025, 2.77645], [9, 0.025, 2.26216], [10, 0.025, 2.22814],
      [28, 0.025, 2.04841], [100000, 0.025, 1.95999], [1, 0.0005, 636.619], [9, 0.0005, 4.78091], [7, 0.5, 0]
    ]) near(studentQuantile(tail, freedom), t, t * 1e-5 + 1e-9)
  })

  it('knows the tail of the normal distribution, far out as well', () => {
    for (const [z, tail] of [[0, 0.5], [1.959964, 0.025], [3.0902323, 0.001], [-1, 0.8413447461], [5, 2.866515719e-7]]) near(normalTail(z), tail, tail * 1e-6)
  })

  it('gives Student\'s interval of a mean', () => {
    const values = [4, 5, 7] // mean 16/3, standard error 0.8819171
    const { low, high } = studentInterval(16 / 3, squaredError(values), 2)
    near(low, 5.333333 - 4.302653 * 0.8819171, 1e-5)
    near(high, 5.333333 + 4.302653 * 0.8819171, 1e-5)
  })

  it('fits a line, and tells how sure its slope is', () => {
    const { slope, low, high } = fitLine([1, 2, 3, 4, 5], [2, 4, 5, 4, 5]) // R: lm(), confint(): 0.6, -0.3 to 1.5
    near(slope, 0.6, 1e-12)
    near(low, -0.3001, 1e-3)
    near(high, 1.5001, 1e-3)
    const exact = fitLine([0, 1, 2], [1, 3, 5])
    near(exact.slope, 2, 1e-12)
    near(exact.high, 2, 1e-9)
  })

  it('covers the true slope about 95 times of 100', () => {
    const random = createRandom(1)
    const xs = Array.from({ length: 30 }, (_, index) => index)
    let covered = 0
    for (let i = 0; i < 1000; i++) {
      const { low, high } = fitLine(xs, xs.map((x) => 0.5 * x + random() + random() + random()))
      if (low <= 0.5 && high >= 0.5) covered++
    }
    assert.ok(covered > 930 && covered < 970, `${covered}`)
  })

  it('sums samples up', () => {
    assert.deepEqual(summarize([3, 1, 2, 5, 4]), { min: 1, median: 3, spread: 2 / 3 })
  })
})
