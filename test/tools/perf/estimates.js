'use strict'

const assert = require('node:assert/strict')
const { describe, it } = require('mocha')
const { centre, centreInterval } = require('../../../perf/statistics/estimates')
const signedRank = require('../../../perf/statistics/signed-rank')
const { createRandom } = require('../../../tools/random')

describe('perf/statistics/estimates', function () {
  this.timeout(30_000) // ms; simulations

  describe('signedRank', () => {
    it('gives the p of the tables', () => {
      // all 8 on one side: 2 of the 2^8 ways to toss the signs are as far out
      assert.equal(signedRank([1, 2, 3, 4, 5, 6, 7, 8]).both, 2 / 256)
      // W+ = 9 of 15 for n = 5: P(W+ >= 9) = 13/32
      assert.equal(signedRank([1, -2, 3, -4, 5]).above, 13 / 32)
    })

    it('is the same as tossing all signs, ties and zeros included', () => {
      for (const values of [[0.5, -0.25, 1, 2, -3, 4], [1, 1, -1, 2, 2, 0], [-1, -2, -3, -4]]) {
        const chances = tossAllSigns(values)
        assert.ok(Math.abs(signedRank(values).above - chances.above) < 1e-12)
        assert.ok(Math.abs(signedRank(values).below - chances.below) < 1e-12)
      }
    })

    it('knows nothing from nothing', () => {
      assert.deepEqual(signedRank([0, 0, 0]), { below: 1, above: 1, both: 1 })
    })
  })

  it('finds the centre in spite of a wild value', () => {
    assert.equal(centre([1, 2, 3]), 2)
    assert.ok(centre([1, 2, 3, 4, 1000]) <= 4)
  })

  // The interval must hold the truth in 95 of 100 cases. With 500 cases, 92 %
  // or less is seen once in 400 runs by chance; the seed is fixed anyway.
  for (const [shape, draw] of Object.entries(shapes())) {
    for (const count of [2, 3, 5, 6, 8, 16, 60]) {
      it(`has the truth in its 95 % interval: ${shape}, ${count} pairs`, () => {
        const random = createRandom(count)
        let held = 0
        for (let i = 0; i < 500; i++) {
          const { low, high } = centreInterval(Array.from({ length: count }, () => draw(random)), { resamples: 400, seed: i })
          if (low <= 0 && high >= 0) held++
        }
        assert.ok(held / 500 > 0.92, `${held} of 500`)
      })
    }
  }

  it('has a false finding in 5 of 100 cases at most', () => {
    const random = createRandom(11)
    const { 'normal noise': normal } = shapes()
    let found = 0
    for (let i = 0; i < 4000; i++) {
      if (signedRank(Array.from({ length: 10 }, () => normal(random))).both <= 0.05) found++
    }
    assert.ok(found / 4000 < 0.06, `${found} of 4000`)
    assert.ok(found / 4000 > 0.02, `${found} of 4000: no test at all`)
  })
})

function shapes () {
  const normal = (random) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return {
    'normal noise': normal,
    'noise with a disturbed block in ten': (random) => normal(random) * (random() < 0.1 ? 10 : 1)
  }
}

function tossAllSigns (values) {
  const distances = values.filter((value) => value !== 0)
  const sizes = distances.map(Math.abs)
  const rankOf = (size) => sizes.filter((other) => other < size).length + (sizes.filter((other) => other === size).length + 1) / 2
  const seen = distances.reduce((sum, value) => value > 0 ? sum + rankOf(value) : sum, 0)
  let below = 0
  let above = 0
  for (let signs = 0; signs < 2 ** sizes.length; signs++) {
    const sum = sizes.reduce((total, size, i) => signs >> i & 1 ? total + rankOf(size) : total, 0)
    if (sum <= seen) below++
    if (sum >= seen) above++
  }
  return { below: below / 2 ** sizes.length, above: above / 2 ** sizes.length }
}
