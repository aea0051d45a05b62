'use strict'

const assert = require('node:assert/strict')
const { competitors } = require('../../../bench/competitors')
const { SERIES, rowsOf } = require('../../../bench/studies/scaling')
const { judge, judgeCold, over } = require('../../../bench/suite/budgets')
const chartsOf = require('../../../bench/suite/charts')
const { exponent, exponentsOf, formatExponent } = require('../../../bench/suite/exponents')
const plan = require('../../../bench/suite/plan')
const summaryOf = require('../../../bench/suite/summary')
const tables = require('../../../bench/suite/tables')
const { validateResults } = require('../../../bench/suite/validate-results')
const { renderChart } = require('../../../tools/chart')

function near (actual, expected) {
  assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`)
}

describe('the ratios and exponents of bench/', () => {
  it('are 0 where ours costs as little as bare, and 1 where it costs as much as body-parser', () => {
    near(over(100, 200, 100), 0)
    near(over(200, 200, 100), 1)
    near(over(110, 200, 100), 0.1)
    near(over(90, 200, 100), -0.1)
  })

  it('are the exponents of power laws', () => {
    const law = (e) => [1, 10, 100, 1000, 10000].map((x) => [x, 5 * x ** e])
    for (const e of [0, 0.5, 1, 2]) near(exponent(law(e)), e)
  })

  it('use the upper half of the points, and have no minus before a zero', () => {
    near(exponent([[1, 9], [2, 9], [4, 9], [8, 3], [16, 6], [32, 12]]), 1)
    assert.equal(formatExponent(-0.004), '0.00')
    assert.equal(formatExponent(-0.25), '-0.25')
  })

  it('are not hidden by a constant cost', () => {
    const points = [1, 10, 100, 1e3, 1e4, 1e5, 1e6].map((x) => [x, 1000 + 3 * x])
    assert.ok(exponent(points) > 0.85)
    const square = [1, 10, 100, 1e3, 1e4].map((x) => [x, 1000 + x + 0.01 * x * x])
    assert.ok(exponent(square) > 1.2, 'worse than linear must show')
  })
})

describe('the budgets of bench/', () => {
  const results = {
    bare: { times: [100, 120, 140], bytes: { heap: 1000 } },
    'body-parser': { times: [200, 240, 280], bytes: { heap: 2000 } },
    listening: { times: [104, 140, 144] },
    ours: { times: [110, 150, 150], bytes: { heap: 1500 } }
  }

  it('compare minimums and medians of each ratio', () => {
    const verdicts = judge({ name: 'x', budget: { over: 0.12, overListening: 0.1, total: 0.5, bare: 1, heapOver: 0.25 }, results })
    assert.deepEqual(verdicts.map(({ measure, most }) => [measure, most]), [
      ['over listening', 0.1], ['over bare', 0.12], ['of body-parser', 0.5], ['of bare', 1], ['over bare, heap', 0.25]
    ])
    const [l, a, b, c, d] = verdicts
    near(l.best, 0.0625)
    near(l.middle, 0.1)
    near(a.best, 0.1)
    near(a.middle, 0.25)
    near(b.best, 0.55)
    near(b.middle, 0.625)
    near(c.best, 1.1)
    near(c.middle, 1.25)
    near(d.best, 0.5)
  })

  it('give no verdict on a row without a budget', () => {
    assert.deepEqual(judge({ name: 'x', results }), [])
  })

  it('are not kept by a wrong value', () => {
    const [verdict] = judge({ name: 'x', budget: { over: 0.12 }, results: { ...results, ours: { wrong: 'parsed another value' } } })
    assert.equal(verdict.best <= verdict.most, false)
  })

  it('compare cold starts of whole packages, and of JSON parsers alone', () => {
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
    assert.equal(modules.best, 12)
  })
})

describe('the scaling of bench/', () => {
  const [series] = SERIES

  function measured (cost) {
    return rowsOf(series).map(({ name, size }) => {
      const times = [2 * cost(size), cost(size)]
      return { name, results: { bare: { times }, ours: { times }, 'body-parser': { times } } }
    })
  }

  it('has an exponent for each competitor', () => {
    const { exponents } = exponentsOf(series, measured((size) => 3 * size ** 2))
    assert.deepEqual(Object.keys(exponents), ['bare', 'ours', 'body-parser'])
    near(exponents.ours, 2)
  })

  it('has no exponent for a part of a series', () => {
    assert.equal(exponentsOf(series, measured((size) => size).slice(1)), null)
  })
})

describe('the tables of bench/', () => {
  const row = {
    name: 'json',
    results: Object.fromEntries(competitors.map(({ name }) => [name, { times: [1000, 2000, 3000] }]))
  }

  it('show minimum, median and spread, and which competitor cannot do a row', () => {
    const results = { ...row.results, bare: { lacks: ['gzip', 'br'] }, fastify: { wrong: 'parsed another value' } }
    const text = tables.times([{ ...row, results }], competitors)
    assert.match(text, /1,000/)
    assert.match(text, /2,000 ±25%/)
    assert.match(text, /no gzip/)
    assert.match(text, /wrong:/)
  })

  it('show the checks that each competitor makes', () => {
    const text = tables.times([row], competitors)
    for (const word of ['type', 'length', 'limit', 'charset', 'coding', 'strict', '__proto__', 'none']) assert.ok(text.includes(word), word)
  })

  it('mark an exponent over 1, and show the spread of memory', () => {
    const text = tables.scaling([{ name: 'x', exponents: { bare: 1.004, ours: 1.01 } }])
    assert.match(text, /1\.00 +│ +1\.01 \(over 1\)/)
    const sizes = [1, 2, 3].map((mib) => mib * 2 ** 20)
    assert.match(tables.memory({ ours: { first: sizes, one: sizes, three: sizes } }), /2 ±25%/)
  })

  it('show which budgets are kept, and which are missed', () => {
    const verdict = { name: 'x', measure: 'over', most: 0.1, middle: 0.2 }
    assert.match(tables.budgets([{ ...verdict, best: 0.1 }]), /kept/)
    assert.match(tables.budgets([{ ...verdict, best: 0.11 }]), /MISSED/)
  })
})

describe('the plan of bench/', () => {
  it('has every measurement, each name once', () => {
    const names = plan('').map(({ name }) => name)
    assert.equal(new Set(names).size, names.length)
    for (const start of ['json', 'form', 'refused', 'strategies', 'scaling', 'cold', 'memory', 'footprint']) {
      assert.ok(names.some((name) => name.startsWith(start)), start)
    }
  })

  it('has only what the filter selects', () => {
    assert.deepEqual(plan('cold').map(({ name }) => name), ['cold start'])
    assert.deepEqual(plan('xyzzy'), [])
  })
})

describe('the report of bench/', () => {
  const names = ['bare', 'listening', 'ours', 'body-parser']
  const resultsOf = (times) => Object.fromEntries(names.map((name) => [name, { times: [times] }]))
  const rows = rowsOf(SERIES[0]).map(({ name, size }) => ({ section: 'scaling', name, results: resultsOf(size) }))
  const whole = { node: 'v1.2.3', machine: 'a machine', requests: 'plain', versions: { 'body-parser': '2.4.0' }, rows }

  it('has a chart that names Node.js, the machine and the units', () => {
    const charts = chartsOf([whole])
    assert.deepEqual(Object.keys(charts), ['scaling'])
    const svg = renderChart(charts.scaling)
    for (const text of ['v1.2.3', 'a machine', 'ns per request', 'bytes', 'exponents: bare 1.00, ours 1.00']) assert.ok(svg.includes(text), text)
  })

  it('has no chart of wrong results', () => {
    const wrong = { ...rows[0], results: { ...rows[0].results, ours: { wrong: 'parsed another value' } } }
    assert.deepEqual(chartsOf([{ rows: [wrong, ...rows.slice(1)] }]), {})
  })

  it('has no chart of a series that was not measured whole', () => {
    assert.deepEqual(chartsOf([{ rows: rows.slice(1) }]), {})
  })

  it('has a chart of one row, with what each competitor checks, for the first two versions of Node.js', () => {
    const run = (node, time) => ({ ...whole, node, rows: [{ section: 'work', name: 'json 274 B, as a server feeds it', results: resultsOf(time) }] })
    const svg = renderChart(chartsOf([run('v24', 1000), run('v26', 2340), run('v20', 3450)]).rows)
    for (const text of ['Node v24', 'Node v26', '>1.0<', '>2.3<', 'type, length, limit, charset, coding, strict', '>nothing<']) assert.ok(svg.includes(text), text)
    assert.ok(!svg.includes('v20'))
  })

  it('has a summary of the work: the times of two versions of Node.js, and the ratios of others', () => {
    const run = (node, ours) => ({
      ...whole,
      node,
      memory: { ours: { first: [2 ** 20], one: [2 ** 21, 2 ** 21], three: [2 ** 22] } },
      rows: [
        { section: 'work', name: 'json', results: { ...resultsOf(1000), ours: { times: [ours], bytes: { heap: 1234, buffers: -5 } } } },
        { section: 'work', name: 'half', results: { ...resultsOf(5), ours: { lacks: ['json'] } } },
        ...rows
      ]
    })
    const text = summaryOf([run('v24', 1500), run('v26', 500), run('v22', 250), run('v20', 100)])
    assert.match(text, /## Node v24\n[^#]*### Requests\n[^#]*\n\| json \| 1,000 \| 1,000 \| 1,500 \| 1,000 \| 1\.50 \|\n\| half \| 5 \| 5 \| {2}\| 5 \| {2}\|\n/)
    assert.match(text, /## Node v26\n/)
    assert.match(text, /\| json \| {2}\| {2}\| 1,230 \+ 0 \| {2}\|\n/)
    assert.match(text, /\| ours \| 1 \| 2 \| 4 \|\n/)
    assert.doesNotMatch(text, /### Strategies|### Cold/)
    assert.match(text, /\| request \| v22 \| v20 \|\n[^\n]*\n\| json \| 0\.25 \| 0\.10 \|\n\| half \| {2}\| {2}\|\n$/)
  })

  it('is made of whole files only', () => {
    validateResults(whole)
    const damaged = [
      null, {}, { ...whole, node: 1 }, { ...whole, rows: {} }, { ...whole, rows: [{}] },
      ...[{}, null, { times: [] }, { times: ['1'] }].map((ours) => ({ ...whole, rows: [{ name: 'x', results: { ours } }] }))
    ]
    for (const results of damaged) assert.throws(() => validateResults(results), /^Error: the file has no valid /)
  })
})
