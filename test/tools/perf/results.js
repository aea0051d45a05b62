'use strict'

const assert = require('node:assert/strict')
const Ajv = require('ajv')
const { describe, it } = require('mocha')
const { compareResults } = require('../../../perf/results/comparison')
const schema = require('../../../perf/results/comparison.schema.json')
const { entriesOf } = require('../../../perf/results/result')
const warningsOf = require('../../../perf/results/warnings')
const result = require('./support/result')

const settings = { alpha: 0.05, threshold: 1, drift: 10 }
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

  it('says what each run found, and how far runs lie apart', () => {
    const b = result('B', ['one'], { cost: 1.2 })
    for (const block of b.scenarios[0].blocks) if (block.run === 3) block.cpu *= 1.1
    const { scenarios: [{ runs, verdict }] } = compareResults(result('A', ['one']), b, settings)
    assert.equal(runs.length, 12)
    assert.ok(Math.abs(runs[2].ratio - 1.32) < 0.02)
    assert.deepEqual(runs[2].steadyAfter, { A: { seconds: 1.2, requests: 20_000 }, B: { seconds: 1.2, requests: 20_000 } })
    assert.equal(verdict.range.high, runs[2].ratio)
    assert.ok(verdict.spread > 2)
    assert.match(verdict.text, /12 runs from \+(19|20)\.\d % to \+3\d\.\d %, p < 0\.0001/)
  })

  it('does not take many blocks of few runs for many proofs', () => {
    const widths = [12, 3].map((count) => {
      const [a, b] = ['A', 'B'].map((letter) => result(letter, ['one']))
      for (const { blocks } of [a.scenarios[0], b.scenarios[0]]) for (const block of blocks) block.run = block.run % count + 1
      const { low, high } = compareResults(a, b, settings).ratios.cpu.interval
      return Math.log(high / low)
    })
    assert.ok(widths[1] > widths[0], widths.join())
  })

  it('does not count blocks that were left out', () => {
    const [a, b] = ['A', 'B'].map((letter) => result(letter, ['one']))
    for (const { blocks } of [a.scenarios[0], b.scenarios[0]]) {
      for (const block of blocks) if (block.round === 2 || block.run === 7) Object.assign(block, { cpu: 1e6 * Math.random(), excluded: 'a reason' })
    }
    const comparison = compareResults(a, b, settings)
    assert.equal(comparison.verdict.decision, 'equivalent')
    assert.equal(comparison.scenarios[0].runs.length, 11)
    assert.equal(comparison.scenarios[0].a.blocks, 11)
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

  describe('of two sessions', () => {
    const apart = (cost) => compareResults(result('A', ['one']), { ...result('B', ['one'], { cost, seed: 7 }), run: 'another' }, settings)

    it('does not report drift as a difference', () => {
      for (const cost of [1, 1.05, 0.95]) assert.equal(apart(cost).verdict.decision, 'inconclusive', `cost ${cost}`)
    })

    it('still sees what drift does not explain, and says that the sessions were separate', () => {
      const comparison = apart(1.5)
      assertValid(comparison)
      assert.equal(comparison.verdict.decision, 'A faster')
      assert.match(comparison.verdict.text, /two separate sessions/)
    })
  })

  it('refuses results of another load, or incomplete ones', () => {
    const another = (change) => Object.assign(result('B', ['one']), change(result('B', ['one'])))
    const refuse = (b, message) => assert.throws(() => compareResults(result('A', ['one']), b, settings), message)
    refuse(another(({ options }) => ({ options: { ...options, duration: 5 } })), /duration 1 and 5/)
    refuse(another(({ scenarios: [one] }) => ({ scenarios: [{ ...one, load: { ...one.load, rate: 5000 } }] })), /one has .* and 5000 requests\/s/)
    refuse(another(({ scenarios: [one] }) => ({ scenarios: [{ ...one, blocks: one.blocks.slice(1) }] })), /one has 24 and 23 blocks of one session/)
    refuse(another(({ scenarios: [one] }) => ({ run: 'x', scenarios: [{ ...one, blocks: one.blocks.slice(0, 2) }] })), /only one run/)
  })

  it('refuses results that have nothing in common', () => {
    assert.throws(() => compareResults(result('A', ['one']), result('B', ['two']), settings), /no scenario and load in common/)
  })
})

describe('perf/results/warnings', () => {
  const [open, closed, few] = [{ rate: 5000, connections: 50 }, { rate: null, connections: 8 }, { rate: null, connections: 1 }]
  const fine = { responses: 1000, mismatches: 0, errors: 0, backlog: 0 }

  for (const [what, averages, blocks, load, warning] of [
    ['a rate that is kept', {}, [{ ...fine, backlog: 10 }], open, null],
    ['a rate that is not kept', {}, [fine, { ...fine, backlog: 100 }], open, /target A or the driver did not keep up with 5,000 requests\/s/],
    ['a busy server', { utilisation: 0.97 }, [fine], closed, null],
    ['an idle server of few connections', { utilisation: 0.5 }, [fine], few, null],
    ['a server that the driver cannot keep busy', { utilisation: 0.5 }, [fine], closed, /used 50 % of a core, as the driver did not keep up/],
    ['a server elsewhere', { utilisation: null }, [fine], closed, null],
    ['blocks that are not steady', { utilisation: 1 }, [fine, { ...fine, excluded: 'it changed' }], closed, /^target A: 1 of 2 blocks do not count: 1 as it changed$/]
  ]) {
    it(`has ${warning === null ? 'nothing' : 'a warning'} about ${what}`, () => {
      const found = warningsOf('A', averages, blocks, load, [])
      if (warning === null) assert.deepEqual(found, [])
      else assert.match(found[0], warning)
    })
  }

  it('says in which runs a server did not become steady, if it can tell', () => {
    const runs = [{ steadyAfter: { seconds: 1, requests: 1000 } }, { steadyAfter: null }]
    assert.deepEqual(warningsOf('A', { utilisation: 1, cpu: 50 }, [fine], closed, runs), ['target A did not become steady in 1 of 2 runs, which do not count'])
    assert.deepEqual(warningsOf('A', { utilisation: null, cpu: null }, [fine], closed, runs), [])
  })

  it('counts what --keep-going went on after', () => {
    const blocks = [{ responses: 90, mismatches: 2, errors: 1 }, { responses: 8, mismatches: 3, errors: 1 }]
    assert.deepEqual(warningsOf('B', { utilisation: 1 }, blocks, closed, []), ['target B: 5 wrong responses and 2 errors in 100 requests: its figures include them'])
  })
})

describe('perf/results/result', () => {
  const settings = { fewestRuns: 2, loads: [{ name: 'x' }, { name: 'y' }] }
  const blocks = [{ load: 'x', run: 1 }, { load: 'x', run: 2 }, { load: 'y', run: 1 }, { load: 'y', run: 2, excluded: 'it changed' }]

  it('leaves out a load with steady blocks in too few runs, and says so', () => {
    const { entries, skipped } = entriesOf([{ name: 'one' }], settings, { one: { blocks } })
    assert.deepEqual(entries.map(({ name }) => name), ['one, x'])
    assert.deepEqual(skipped, [{ name: 'one, y', reason: '1 runs have blocks that are steady, and 2 are needed' }])
  })
})

function assertValid (comparison) {
  const plain = JSON.parse(JSON.stringify(comparison))
  assert.ok(validate(plain), JSON.stringify(validate.errors))
}
