'use strict'

const assert = require('node:assert/strict')
const Ajv = require('ajv')
const { describe, it } = require('mocha')
const { compareResults } = require('../../../perf/results/comparison')
const schema = require('../../../perf/results/comparison.schema.json')
const warningsOf = require('../../../perf/results/warnings')
const result = require('./support/result')

const settings = { alpha: 0.05, threshold: 1, resamples: 200, drift: 10 }
const validate = new Ajv().compile(schema)

describe('perf/results/comparison', () => {
  it('follows its schema, with one scenario and with several', () => {
    for (const names of [['one'], ['one', 'two', 'three']]) {
      assertValid(compareResults(result('A', names), result('B', names), settings))
    }
  })

  it('gives the ratio B / A, and the target that is faster', () => {
    const comparison = compareResults(result('A', ['one']), result('B', ['one'], { cost: 1.2 }), settings)
    assert.ok(Math.abs(comparison.ratios.cpu.ratio - 1.2) < 0.01)
    assert.ok(Math.abs(comparison.ratios.rps.ratio - 1 / 1.2) < 0.01)
    assert.equal(comparison.verdict.decision, 'A faster')
    assert.match(comparison.verdict.text, /^A faster: B has (19|20)\.\d % more CPU time per request \(95 % interval \+/)
    assert.ok(comparison.ratios.cpu.interval.low > 1)
    assert.equal(compareResults(result('A', ['one'], { cost: 1.2 }), result('B', ['one']), settings).verdict.decision, 'B faster')
  })

  it('says when there are too few rounds for any verdict', () => {
    const few = (letter, cost) => {
      const whole = result(letter, ['one'], { cost })
      for (const scenario of whole.scenarios) Object.assign(scenario, { look: { number: 1, pairs: 3, share: 1 }, blocks: scenario.blocks.slice(0, 3) })
      return whole
    }
    const { verdict } = compareResults(few('A', 1), few('B', 1.2), settings)
    assert.equal(verdict.decision, 'inconclusive')
    assert.match(verdict.text, /3 rounds: fewer than 6 cannot show that a target is faster/)
  })

  it('has the summary that users of perf-wg know, for each scenario and for all', () => {
    const [a, b] = [result('A', ['one', 'two']), result('B', ['one', 'two'], { cost: 1.2 })]
    for (const averages of Object.values(b.serverResults)) Object.assign(averages, { rps: 18_712, throughput: 1.9e6, latency: 2.5 })
    const comparison = compareResults(a, b, settings)
    for (const { diff, a, b, result } of [comparison, ...comparison.scenarios]) {
      assert.deepEqual(diff, { rps: '-6.44%', throughput: '-5.00%', latency: '25.00%' })
      assert.deepEqual([a.avgRPS, a.avgThroughput, a.avgLatency], [20_000, 2e6, 2])
      assert.deepEqual([b.avgRPS, b.avgThroughput, b.avgLatency], [18_712, 1.9e6, 2.5])
      assert.equal(result, 'A Wins')
    }
    assert.deepEqual(comparison.scenarios[0].a.status, { 200: 12_000 })
    assert.equal(compareResults(b, { ...a, target: 'B' }, settings).result, 'B Wins')
    assert.equal(compareResults(a, { ...a, target: 'B' }, settings).result, 'Nobody Wins')
  })

  it('calls the same code equivalent', () => {
    assert.equal(compareResults(result('A', ['one']), result('B', ['one']), settings).verdict.decision, 'equivalent')
  })

  it('has one verdict for all only if they agree', () => {
    const a = result('A', ['one', 'two'])
    const b = result('B', ['one', 'two'])
    for (const block of b.scenarios[1].blocks) block.cpu *= 1.2
    const { verdict, scenarios } = compareResults(a, b, settings)
    assert.deepEqual(scenarios.map((scenario) => scenario.verdict.decision), ['equivalent', 'A faster'])
    assert.equal(verdict.decision, 'inconclusive')
    assert.equal(verdict.text, 'equivalent in 1, A faster in 1 of 2 scenarios')
  })

  it('counts the status codes', () => {
    assert.deepEqual(compareResults(result('A', ['one', 'two']), result('B', ['one', 'two']), settings).a.status, { 200: 24000 })
  })

  it('judges by responses per second if a server does not tell its CPU time', () => {
    const a = result('A', ['one'], { blind: true })
    const b = result('B', ['one'], { blind: true, cost: 1.2 })
    const comparison = compareResults(a, b, settings)
    assertValid(comparison)
    assert.equal(comparison.ratios.cpu, null)
    assert.equal(comparison.verdict.metric, 'rps')
    assert.equal(comparison.verdict.decision, 'A faster')
  })

  describe('of two runs', () => {
    const apart = (cost) => compareResults(result('A', ['one']), { ...result('B', ['one'], { cost, seed: 7 }), run: 'another' }, settings)

    it('does not report drift as a difference', () => {
      for (const cost of [1, 1.05, 0.95]) assert.equal(apart(cost).verdict.decision, 'inconclusive', `cost ${cost}`)
    })

    it('still sees what drift does not explain, and says that the runs were separate', () => {
      const comparison = apart(1.5)
      assertValid(comparison)
      assert.equal(comparison.verdict.decision, 'A faster')
      assert.match(comparison.verdict.text, /two separate runs/)
    })
  })

  it('refuses results of another load, or incomplete ones', () => {
    const b = result('B', ['one'])
    assert.throws(() => compareResults(result('A', ['one']), { ...b, options: { ...b.options, rate: 5000 } }, settings), /rate none and 5000/)
    b.scenarios[0].blocks.pop()
    assert.throws(() => compareResults(result('A', ['one']), b, settings), /one has 12 and 11 blocks of one run/)
    b.scenarios[0].blocks.splice(1)
    assert.throws(() => compareResults(result('A', ['one']), { ...b, run: 'another' }, settings), /only one block/)
  })

  it('refuses results that have nothing in common', () => {
    assert.throws(() => compareResults(result('A', ['one']), result('B', ['two']), settings), /no scenario in common/)
  })
})

describe('perf/results/warnings', () => {
  const paced = { rate: 5000, slice: 0.1, duration: 2 }
  const full = { rate: null, slice: 0.1, duration: 2 }

  for (const [what, averages, options, warning] of [
    ['a rate that is kept', { rps: 4990, latencyP50: 0.3 }, paced, null],
    ['a rate that is kept, with a long latency', { rps: 4550, latencyP50: 10 }, paced, null],
    ['a rate that is not kept', { rps: 3000, latencyP50: 30 }, paced, /did not keep up: 3,000 responses\/s of the 5,000 requests\/s/],
    ['a rate of a fraction of a request', { rps: 0.5, latencyP50: 1 }, { ...paced, rate: 0.7 }, null],
    ['a busy server', { utilisation: 0.97, driverUtilisation: 0.99 }, full, null],
    ['an idle server', { utilisation: 0.5, driverUtilisation: 0.3 }, full, /used 50 % of a core: its responses per second are not its maximum$/],
    ['a busy driver', { utilisation: 0.5, driverUtilisation: 0.99 }, full, /as the driver was busy \(99 %\)$/],
    ['a server elsewhere', { utilisation: null, driverUtilisation: 0.99 }, full, null]
  ]) {
    it(`has ${warning === null ? 'nothing' : 'a warning'} about ${what}`, () => {
      const found = warningsOf('A', averages, [{ responses: 10, mismatches: 0, errors: 0 }], options)
      if (warning === null) assert.deepEqual(found, [])
      else assert.match(found[0], warning)
    })
  }

  it('counts what --keep-going went on after', () => {
    const blocks = [{ responses: 90, mismatches: 2, errors: 1 }, { responses: 8, mismatches: 3, errors: 1 }]
    assert.deepEqual(warningsOf('B', { utilisation: 1 }, blocks, full), ['target B: 5 wrong responses and 2 errors in 100 requests: its figures include them'])
  })
})

function assertValid (comparison) {
  const plain = JSON.parse(JSON.stringify(comparison))
  assert.ok(validate(plain), JSON.stringify(validate.errors))
}
