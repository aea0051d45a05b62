'use strict'

const assert = require('node:assert/strict')
const { describe, it } = require('mocha')
const { decide, estimate, fewestTrials, logOfNeighbours } = require('../../../perf/statistics')
const { createRandom } = require('../../../tools/random')

const LEVEL = 0.99
const SESSIONS = 1000
const SAME = { effect: 0, noise: 0.02, threshold: 1e-9 }

/** The decisions of many sessions on made-up trials. */
function decisions ({ effect, noise, trials, disturbed = 0, seed = 1, threshold = 0.01 }) {
  const random = createRandom(seed)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const counts = { 'A faster': 0, 'B faster': 0, equivalent: 0, inconclusive: 0 }
  for (let i = 0; i < SESSIONS; i++) {
    const values = Array.from({ length: trials },
      () => Math.log(1 + effect) + noise * normal() * (random() < disturbed ? 15 : 1))
    const { low, high } = estimate(values, LEVEL)
    counts[decide({ low: Math.exp(low), high: Math.exp(high) }, threshold)]++
  }
  return counts
}

describe('perf/statistics', () => {
  it('compares samples that were taken next to each other, as a core changes its speed', () => {
    const speeds = [1, 1, 1.4, 1.4, 1.4, 1.4, 1, 1, 1, 1.4, 1.4, 1.4]
    const a = speeds.map((speed) => 26 * speed)
    const b = a.map((cost) => cost * 1.05)
    assert.ok(Math.abs(logOfNeighbours(a, b) - Math.log(1.05)) < 1e-9)
    assert.ok(Math.abs(logOfNeighbours(a.with(3, 90), b) - Math.log(1.05)) < 1e-9, 'a disturbed sample')
    assert.equal(logOfNeighbours([10, 10, 10, 40, 40], [10, 10, 10, 40, 40]), 0)
    assert.ok(Math.abs(logOfNeighbours([1, 10, 100], [2, 20, 200]) - Math.log(2)) < 1e-9, 'none that is further away')
  })

  it('estimates the centre of trials by the means of all pairs, which a single disturbed trial hardly moves', () => {
    assert.ok(Math.abs(estimate([...Array(9).fill(1), 1000], LEVEL).estimate - 1) < 1e-9)
  })

  it('gives the interval and p of Wilcoxon\'s signed-rank test', () => {
    const values = [1, 2, 3, 4, 5, 6, 7, 8]
    assert.deepEqual(estimate(values, LEVEL), { estimate: 4.5, low: 1, high: 8, p: 2 / 2 ** 8 })
    const { low, high, p } = estimate([-1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.95) // R: wilcox.test(x, conf.int = TRUE)
    assert.deepEqual({ low, high, p }, { low: 3, high: 8, p: 0.00390625 })
  })

  it('has no finite interval with fewer trials than a level needs', () => {
    assert.equal(fewestTrials(0.99), 8)
    assert.equal(estimate([1, 2, 3, 4, 5, 6, 7], LEVEL).high, Infinity)
    assert.equal(decide({ low: 0, high: Infinity }, 0.01), 'inconclusive')
  })

  it('decides by the interval alone', () => {
    assert.equal(decide({ low: 0.9, high: 0.95 }, 0.01), 'B faster')
    assert.equal(decide({ low: 1.02, high: 1.1 }, 0.01), 'A faster')
    assert.equal(decide({ low: 0.95, high: 1.1 }, 0.01), 'inconclusive')
    assert.equal(decide({ low: 1.002, high: 1.008 }, 0.01), 'equivalent')
  })

  for (const disturbed of [0, 0.1]) {
    for (const trials of [8, 20]) {
      const kind = `sessions of ${trials} trials, ${disturbed * 100} % of them disturbed`
      it(`finds a difference in the same code in fewer than 2 of 100 ${kind}`, () => {
        const { 'A faster': a, 'B faster': b } = decisions({ ...SAME, trials, disturbed })
        assert.ok((a + b) / SESSIONS < 0.02, `${a + b} of ${SESSIONS}`)
      })
    }
  }

  it('finds 5 % in 20 trials that differ by 2 %, one in twenty of which is disturbed', () => {
    const { 'A faster': found } = decisions({ effect: 0.05, noise: 0.02, trials: 20, disturbed: 0.05 })
    assert.ok(found / SESSIONS > 0.9, `${found} of ${SESSIONS}`)
  })

  it('shows that the same code is equivalent, if trials differ little', () => {
    assert.ok(decisions({ effect: 0, noise: 0.005, trials: 20 }).equivalent / SESSIONS > 0.95)
    assert.ok(decisions({ effect: 0.03, noise: 0.005, trials: 20 }).equivalent === 0)
  })
})
