'use strict'

const assert = require('node:assert/strict')
const { describe, it } = require('mocha')
const { decide, holm, judge, weigh } = require('../../../perf/statistics/verdict')
const { createRandom } = require('../../../tools/random')

const settings = { alpha: 0.05, threshold: 1 }

describe('perf/statistics/verdict', () => {
  it('corrects by Holm\'s rule', () => {
    assert.deepEqual(holm([0.01, 0.04, 0.03]), [0.03, 0.06, 0.06])
    assert.deepEqual(holm([0.9, 0.8]), [1, 1])
    assert.deepEqual(holm([]), [])
  })

  it('says which target is faster, of something that is better when lower', () => {
    const evidence = { p: 0.001, pEquivalent: 1 }
    assert.equal(decide({ ...evidence, low: 0.9, high: 0.95 }, settings), 'B faster')
    assert.equal(decide({ ...evidence, low: 1.05, high: 1.1 }, settings), 'A faster')
    assert.equal(decide({ ...evidence, low: 0.95, high: 1.1 }, settings), 'inconclusive')
    assert.equal(decide({ ...evidence, p: 0.06, low: 1.05, high: 1.1 }, settings), 'inconclusive')
  })

  it('calls equivalent what lies within the threshold, even if it is not the same', () => {
    const evidence = { p: 0.001, pEquivalent: 0.001, low: 1.002, high: 1.008 }
    assert.equal(decide(evidence, settings), 'equivalent')
    assert.equal(decide({ ...evidence, high: 1.02 }, settings), 'A faster')
    assert.equal(decide({ ...evidence, pEquivalent: 0.06 }, settings), 'A faster')
  })

  it('asks more of each of several scenarios', () => {
    const one = { p: 0.04, pEquivalent: 1, low: 0.9, high: 0.95 }
    assert.equal(judge([one], settings)[0].decision, 'B faster')
    assert.equal(judge([one, one], settings)[0].decision, 'inconclusive')
    assert.equal(judge([one, { ...one, p: 0.001 }], settings)[0].decision, 'B faster')
  })

  // Whole sessions on made-up runs of the same standard deviation.
  for (const runs of [2, 4, 8]) {
    it(`gives a false verdict in fewer than 7 of 100 sessions of ${runs} runs of the same code`, () => {
      const { 'A faster': a = 0, 'B faster': b = 0 } = sessions({ effect: 0, noise: 0.02, runs })
      assert.ok((a + b) / 1000 < 0.07, `${a + b} of 1000`)
      assert.ok((a + b) / 1000 > 0.02, `${a + b} of 1000: no test at all`)
    })
  }

  it('calls one of several scenarios of the same code faster in fewer than 6 of 100 sessions', () => {
    const random = createRandom(8)
    const wrong = Array.from({ length: 2000 }, () => {
      const all = Array.from({ length: 5 }, () => weigh(draw(random, 0, 0.02, 4), settings))
      return judge(all, settings).some(({ decision }) => decision.endsWith('faster'))
    }).filter(Boolean).length
    assert.ok(wrong / 2000 < 0.06, `${wrong} of 2000`)
  })

  it('finds a difference of 10 % in 4 runs that lie 2 % apart', () => {
    const { 'A faster': a = 0 } = sessions({ effect: 0.1, noise: 0.02, runs: 4 })
    assert.ok(a >= 950, `${a} of 1000`)
  })

  it('calls the same code equivalent, if it is given the runs', () => {
    const { equivalent } = sessions({ effect: 0, noise: 0.01, runs: 20 })
    assert.ok(equivalent >= 900, `${equivalent} of 1000`)
  })

  it('does not call equivalent what lies on the threshold', () => {
    const { equivalent = 0 } = sessions({ effect: Math.log(1.01), noise: 0.01, runs: 20 })
    assert.ok(equivalent / 1000 < 0.06, `${equivalent} of 1000`)
  })
})

function sessions ({ effect, noise, runs }) {
  const random = createRandom(runs)
  const counts = {}
  for (let i = 0; i < 1000; i++) {
    const [{ decision }] = judge([weigh(draw(random, effect, noise, runs), settings)], settings)
    counts[decision] = (counts[decision] ?? 0) + 1
  }
  return counts
}

function draw (random, effect, noise, runs) {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return Array.from({ length: runs }, () => effect + normal() * noise)
}
