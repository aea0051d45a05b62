'use strict'

const assert = require('node:assert')
const { execFileSync } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { competitors } = require('../../../bench/competitors')
const echarts = require('../../../bench/node_modules/echarts')
const { FLAGS } = require('../../../bench/heap')
const { SERIES, rowsOf } = require('../../../bench/growth')
const draw = require('../../../bench/pictures')
const plan = require('../../../bench/plan')
const checkResults = require('../../../bench/results')
const tables = require('../../../bench/table')

describe('bench: tables', () => {
  const row = {
    name: 'json',
    results: Object.fromEntries(competitors.map(({ name }) => [name, { times: [1000, 2000, 3000] }]))
  }

  it('show minimum, median and spread, and who cannot do a row', () => {
    const results = { ...row.results, bare: { lacks: ['gzip', 'br'] }, fastify: { wrong: 'parsed another value' } }
    const text = tables.times([{ ...row, results }], competitors)
    assert.match(text, /1,000/)
    assert.match(text, /2,000 ±25%/)
    assert.match(text, /no gzip/)
    assert.match(text, /wrong:/)
  })

  it('show the checks that each one makes', () => {
    const text = tables.times([row], competitors)
    for (const word of ['type', 'length', 'limit', 'charset', 'coding', 'strict', '__proto__', 'none']) assert.ok(text.includes(word), word)
  })

  it('mark an exponent over 1, and show the spread of memory', () => {
    const text = tables.growth([{ name: 'x', exponents: { bare: 1.004, ours: 1.01 } }])
    assert.match(text, /1\.00 +│ +1\.01 \(over 1\)/)
    const sizes = [1, 2, 3].map((mib) => mib * 1024)
    assert.match(tables.memory({ ours: { before: sizes, peak: sizes } }), /2 ±25%/)
  })

  it('show what was reached and what was missed', () => {
    const verdict = { name: 'x', measure: 'over', most: 0.1, middle: 0.2 }
    assert.match(tables.floors([{ ...verdict, best: 0.1 }]), /reached/)
    assert.match(tables.floors([{ ...verdict, best: 0.11 }]), /MISSED/)
  })
})

describe('bench: the plan', () => {
  it('has everything in it, each name once', () => {
    const names = plan('').map(({ name }) => name)
    assert.strictEqual(new Set(names).size, names.length)
    for (const start of ['json', 'form', 'refused', 'strategies', 'growth', 'cold', 'memory', 'footprint']) {
      assert.ok(names.some((name) => name.startsWith(start)), start)
    }
  })

  it('is narrowed by the filter', () => {
    assert.deepStrictEqual(plan('cold').map(({ name }) => name), ['cold start'])
    assert.deepStrictEqual(plan('xyzzy'), [])
  })
})

describe('bench: pictures', () => {
  const names = ['bare', 'ours', 'body-parser']
  const rows = rowsOf(SERIES[0]).map(({ name, size }) => ({
    name,
    results: Object.fromEntries(names.map((who) => [who, { times: [size] }]))
  }))

  it('name Node, the machine and the units', () => {
    const pictures = draw({ node: 'v1.2.3', machine: 'a machine', requests: 'plain', rows })
    assert.deepStrictEqual(Object.keys(pictures), ['growth-body-size'])
    const { width, height, option } = pictures['growth-body-size']
    const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width, height })
    chart.setOption(option)
    const svg = chart.renderToSVGString()
    chart.dispose()
    for (const text of ['v1.2.3', 'a machine', 'ns per request', 'bytes', 'exponent 1.00']) {
      assert.ok(svg.includes(text), text)
    }
  })

  it('leave out what came out wrong', () => {
    const wrong = { ...rows[0], results: { ...rows[0].results, ours: { wrong: 'parsed another value' } } }
    assert.deepStrictEqual(draw({ rows: [wrong, ...rows.slice(1)] }), {})
  })

  it('are drawn of whole files alone', () => {
    const whole = { node: 'v1.2.3', machine: 'a machine', requests: 'plain', versions: {}, rows }
    checkResults(whole)
    const damaged = [
      null, {}, { ...whole, node: 1 }, { ...whole, rows: {} }, { ...whole, rows: [{}] },
      ...[{}, null, { times: [] }, { times: ['1'] }].map((ours) => ({ ...whole, rows: [{ name: 'x', results: { ours } }] }))
    ]
    for (const results of damaged) assert.throws(() => checkResults(results), /^Error: no /)
  })

  it('leave out what was not measured', () => {
    assert.deepStrictEqual(draw({ rows: rows.slice(1) }), {})
  })
})

describe('bench: bytes per request', () => {
  it('are counted exactly', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-'))
    const script = path.join(folder, 'count.js')
    fs.writeFileSync(script, `
      const { countBytes } = require(${JSON.stringify(require.resolve('../../../bench/heap'))})
      const kept = []
      countBytes(async (count) => {
        for (let i = 0; i < count; i++) kept.push(new Array(1000).fill(i), Buffer.allocUnsafeSlow(5000))
      }).then((bytes) => console.log(JSON.stringify(bytes)))
    `)
    const { heap, buffers } = JSON.parse(execFileSync(process.execPath, [...FLAGS, script], { encoding: 'utf8' }))
    fs.rmSync(folder, { recursive: true })
    assert.strictEqual(buffers, 5000)
    assert.ok(heap > 8000 && heap < 9500, `${heap} bytes for an array of 1,000 elements and a Buffer`)
  })
})
