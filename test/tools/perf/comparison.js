'use strict'

const assert = require('node:assert/strict')
const Ajv = require('ajv')
const { describe, it } = require('mocha')
const { compareResults, resultOf } = require('../../../perf/comparison')
const schema = require('../../../perf/comparison.schema.json')
const markdownOf = require('../../../perf/markdown')
const { comparisonText } = require('../../../perf/text')

const LOAD = { name: '16 connections', connections: 16, rate: null }

function figures (factor, i) {
  const cpu = 40 * factor * (1 + (i % 3 - 1) / 1000)
  return {
    samples: [cpu, cpu * 1.001, cpu * 0.999],
    cpu,
    rps: 1e6 / cpu,
    throughput: 8e6 / cpu,
    latency: 0.1 * factor,
    latencyP50: 0.1,
    latencyP99: 1,
    utilisation: 0.9,
    gc: 1,
    heap: 5000 * factor,
    rss: 1e8,
    statusCodes: { 200: 1000 }
  }
}

/** Both results of a session in which B takes `factor` times the CPU time. */
function resultsOf (factor, { trials = 12, name = 'express5-json, 16 connections', more = [], profiles } = {}) {
  const scenario = (name, load) => ({
    name,
    about: 'JSON',
    load,
    profiles,
    lanes: { A: { 'one-shot': 0.75, stream: 0.25 }, B: null },
    warnings: [],
    trials: Array.from({ length: trials }, (_, i) => ({ A: figures(1, i), B: figures(factor, i + 1) }))
  })
  const settings = { duration: 100, lead: 10, warmup: 1500, loads: [LOAD] }
  const session = {
    id: 'one',
    date: '2026-01-01T00:00:00.000Z',
    machine: { cpu: 'x', platform: 'linux', arch: 'x64', kernel: '6.1' },
    settings,
    skipped: [{ name: 'y', reason: 'z' }],
    scenarios: [scenario(name, LOAD), ...more.map((other) => scenario(other, { ...LOAD, rate: 500 }))]
  }
  return ['A', 'B'].map((letter) => resultOf(
    session,
    {
      letter,
      overrides: {},
      commit: null,
      resolved: { 'body-parser': { name: 'body-parser', version: '2.4.0', integrity: 'sha512-x' } },
      node: { version: 'v24.0.0' }
    }
  ))
}

describe('perf/comparison', () => {
  const validate = new Ajv().compile(schema)

  for (const [factor, decision, result] of [
    [1.05, 'A faster', 'A Wins'],
    [0.95, 'B faster', 'B Wins'],
    [1, 'equivalent', 'Nobody Wins']
  ]) {
    it(`says "${decision}" where B takes ${factor} times the CPU time, in a file that follows the schema`, () => {
      const results = resultsOf(factor)
      const comparison = JSON.parse(JSON.stringify(compareResults(...results, { threshold: 1 })))
      assert.ok(validate(comparison), JSON.stringify(validate.errors))
      assert.equal(comparison.verdict.decision, decision)
      assert.equal(comparison.result, result)
      assert.ok(Math.abs(comparison.verdict.ratio - factor) < 0.002)
      const { verdict: { more } } = comparison
      const some = `(more|less) in ${Math.max(more, 12 - more)} of 12`
      const agreement = { 'A faster': 'more in all 12', 'B faster': 'less in all 12' }[decision] ?? some
      assert.match(comparisonText(comparison, { verbose: true }),
        new RegExp(`=> ${decision}: B takes .*\\(99 % interval .*; B took ${agreement} trials\\)$`, 'm'))
      assert.doesNotMatch(comparisonText(comparison, { verbose: true }), /Wins/)
      assert.match(comparisonText(comparison, { verbose: true }),
        /^ {2}lanes of the bodies: A 75 % one-shot, 25 % stream$/m)
      assert.doesNotMatch(comparisonText(comparison, { verbose: false }), /lanes/)
    })
  }

  it('says where the difference is, in a file that follows the schema, if there are profiles', () => {
    const functions = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [i, { label: `f${i}`, value: i }]))
    const round = { cpu: 200, unit: 'us', functions }
    const slow = { ...round, functions: { ...functions, 7: { label: 'f7', value: 17 } } }
    const comparison = compareResults(
      ...resultsOf(1.05, { profiles: { A: [round], S: [round], B: [slow] } }),
      { threshold: 1 }
    )
    assert.ok(validate(comparison), JSON.stringify(validate.errors))
    assert.match(comparisonText(comparison, { verbose: false }),
      /^ {2}f7 +7\.00 +17\.00 +\+10\.00\n( {2}f.* noise\n){9} {2}10 others /m)
    assert.match(markdownOf(comparison, []),
      /^\| f7 \| 7\.00 \| 17\.00 \| \+10\.00 \| {2}\|\n(\| f.*\n){4}\| 15 others \|/m)
  })

  it('raises the level of each of several scenarios and loads', () => {
    assert.equal(compareResults(...resultsOf(1.05), { threshold: 1 }).settings.level, 0.99)
    const four = compareResults(...resultsOf(1.05, { more: ['p', 'q', 'r'] }), { threshold: 1 })
    assert.equal(four.settings.level, 0.9975)
    assert.equal(four.verdict.text, 'A faster in 4 of 4 scenarios and loads')
  })
})

describe('perf/markdown', () => {
  it('has the verdict first, both targets, a row for each scenario, what to know of it, and the command', () => {
    const comparison = compareResults(...resultsOf(1.05), { threshold: 1 })
    comparison.scenarios[0].warnings.push('slow')
    const text = markdownOf(comparison, ['--quick', '--overrides={"body-parser":"2.4.0"}', '--markdown=load.md'])
    for (const pattern of [
      /^\*\*A faster: B takes \d\.\d % more CPU time per request \(99 % interval .* trials\)\*\*\n/,
      /^- A: body-parser 2\.4\.0, Node\.js v24\.0\.0\n- B: body-parser 2\.4\.0, /m,
      /^- express5-json, 16 connections: slow\n- y is left out: z$/m,
      /^\| express5-json, 16 connections \| 40\.0 us \| 42\.0 us \| \+4\.9 % \| /m,
      /<details><summary>Other figures<\/summary>\n\n[^]*\n\| latency, mean \| [^]*\n\n<\/details>\n/,
      /^Measured on x, linux x64 6\.1, 2026-01-01:$/m,
      /\n```sh\nnpm run test:load -- --quick '--overrides=\{"body-parser":"2\.4\.0"\}'\n```\n$/
    ]) assert.match(text, pattern)
  })
})
