'use strict'

const assert = require('node:assert/strict')
const { describe, it } = require('mocha')
const { planLooks, shareOf } = require('../../../perf/statistics/sequential')
const { decide, holm, isSettled, judge, weigh } = require('../../../perf/statistics/verdict')
const { createRandom } = require('../../../tools/random')

const settings = { alpha: 0.05, threshold: 1, resamples: 100, rounds: 'auto', firstLook: 8, lookGrowth: 1.4, scenarios: 1 }

describe('perf/statistics/sequential', () => {
  it('spends no more than all of alpha', () => {
    const sum = Array.from({ length: 10000 }, (_, i) => shareOf(i + 1)).reduce((total, share) => total + share)
    assert.ok(sum < 1 && sum > 0.99)
  })

  it('looks first when a finding is possible, and then ever later', () => {
    for (const scenarios of [1, 16, 100]) {
      const looks = take(planLooks({ ...settings, scenarios }), 6)
      const least = 2 / 2 ** looks[0].pairs / looks[0].share * scenarios
      assert.ok(least <= 0.05, `${scenarios} scenarios`)
      looks.slice(1).forEach((look, i) => assert.ok(look.pairs > looks[i].pairs))
    }
  })

  it('looks once at a set number of rounds', () => {
    assert.deepEqual([...planLooks({ ...settings, rounds: 12 })], [{ number: 1, pairs: 12, share: 1 }])
  })
})

describe('perf/statistics/verdict', function () {
  this.timeout(30_000) // ms; simulations

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

  it('does not take back a settled verdict when all are judged', () => {
    const random = createRandom(5)
    const family = { ...settings, scenarios: 5 }
    const look = { number: 1, pairs: 12, share: 0.5 }
    let settled = 0
    for (let i = 0; i < 40; i++) {
      const effect = random() * 0.06 - 0.03
      const all = Array.from({ length: 5 }, () => Array.from({ length: 12 }, () => effect + normal(random) * 0.01))
      const verdicts = judge(all.map((logs) => weigh(logs, look, family)), family)
      all.forEach((logs, j) => {
        if (!isSettled(logs, look, family)) return
        settled++
        assert.notEqual(verdicts[j].decision, 'inconclusive')
      })
    }
    assert.ok(settled > 50, `only ${settled} were settled`)
  })

  // Whole sessions of --rounds=auto, on made-up blocks: noise of 2 % per pair.
  it('gives a false verdict in fewer than 5 of 100 sessions of the same code, however often it looks', () => {
    const { 'A faster': a = 0, 'B faster': b = 0 } = sessions({ effect: 0, noise: 0.02, count: 400, most: 45 })
    assert.ok((a + b) / 400 < 0.05, `${a + b} of 400`)
  })

  it('calls one of several scenarios of the same code faster in fewer than 5 of 100 runs', () => {
    const random = createRandom(8)
    const look = { number: 1, pairs: 12, share: 1 }
    const runs = Array.from({ length: 300 }, () => {
      const all = Array.from({ length: 5 }, () => weigh(Array.from({ length: 12 }, () => normal(random) * 0.02), look, settings))
      return judge(all, settings).some(({ decision }) => decision.endsWith('faster'))
    })
    const wrong = runs.filter(Boolean).length
    assert.ok(wrong / 300 < 0.05, `${wrong} of 300`)
  })

  it('calls the same code equivalent, if it is given the time', () => {
    const { equivalent } = sessions({ effect: 0, noise: 0.01, count: 100, most: 70 })
    assert.ok(equivalent >= 90, `${equivalent} of 100`)
  })

  it('does not call equivalent what lies on the threshold', () => {
    const { equivalent = 0 } = sessions({ effect: Math.log(1.01), noise: 0.01, count: 300, most: 45 })
    assert.ok(equivalent / 300 < 0.05, `${equivalent} of 300`)
  })

  it('finds 3 % in noise of 2 % within 25 rounds', () => {
    const { 'A faster': a = 0, 'B faster': b = 0 } = sessions({ effect: 0.03, noise: 0.02, count: 200, most: 25 })
    assert.ok(a >= 190, `${a} of 200`)
    assert.equal(b, 0)
  })

  it('finds it with a disturbed block in ten, too', () => {
    const { 'A faster': a = 0 } = sessions({ effect: 0.03, noise: 0.02, count: 200, most: 35, disturbed: 0.1 })
    assert.ok(a >= 180, `${a} of 200`)
  })
})

function sessions ({ effect, noise, count, most, disturbed = 0 }) {
  const random = createRandom(count + most)
  const counts = {}
  for (let i = 0; i < count; i++) {
    const decision = sessionOf(() => effect + normal(random) * noise * (random() < disturbed ? 8 : 1), most)
    counts[decision] = (counts[decision] ?? 0) + 1
  }
  return counts
}

function sessionOf (draw, most) {
  const logs = []
  for (const look of planLooks(settings)) {
    while (logs.length < Math.min(look.pairs, most)) logs.push(draw())
    if (isSettled(logs, look, settings) || logs.length === most) return judge([weigh(logs, look, settings)], settings)[0].decision
  }
}

function normal (random) {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

function take (generator, count) {
  const items = []
  for (const item of generator) {
    items.push(item)
    if (items.length === count) return items
  }
}
