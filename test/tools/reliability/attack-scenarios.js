'use strict'

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const path = require('node:path')
const scenarios = require('../../../reliability/attacks/scenarios/catalog')
const { figuresOf, text } = require('../../../reliability/attacks/scenarios/figures')

const COMMAND = path.join(__dirname, '../../../reliability/attacks/scenarios')
const scenarioOf = (name) => scenarios.find((scenario) => scenario.name === name)

describe('a scenario of many clients', function () {
  this.timeout(60_000)

  it('lets go of clients that have left, under cooperative', async () => {
    const scenario = scenarioOf('cooperative-aborts')
    const figures = { 'fast-body-parser, cooperative': await scenario.measure('fast-body-parser, cooperative', {}) }
    assert.deepEqual(scenario.faultsOf(figures), [])
  })

  it('keeps two pipelined bodies pending, under cooperative', async () => {
    const scenario = scenarioOf('cooperative-pipelined')
    const figures = { 'fast-body-parser, cooperative': await scenario.measure('fast-body-parser, cooperative', {}) }
    assert.deepEqual(scenario.faultsOf(figures), [])
  })

  for (const name of ['http2-kept-body', 'http2-kept-raw-body', 'http2-kept-verify']) {
    it(`keeps no more than the bytes alive: ${scenarioOf(name).what}`, async () => {
      const scenario = scenarioOf(name)
      assert.deepEqual(scenario.faultsOf({ 'fast-body-parser': await scenario.measure('fast-body-parser', {}) }), [])
    })
  }

  it('finds what a parser does wrong', () => {
    const cells = [3, 5, 7, 99, 99, 99, 1]
    for (const { name, columns, rows, faultsOf } of scenarios) {
      const good = Object.fromEntries(rows.map((row) => [row, columns.map(() => 0)]))
      if (name.startsWith('budget')) for (const row of rows) good[row].splice(0, 2, 'survives', 1)
      assert.deepEqual(faultsOf(good), [], name)
      const bad = Object.fromEntries(rows.map((row) => [row, columns.map((_, index) => cells[index] * 1000)]))
      assert.notDeepEqual(faultsOf(bad), [], name)
    }
  })

  it('has a name of its own', () => {
    assert.equal(new Set(scenarios.map(({ name }) => name)).size, scenarios.length)
  })
})

describe('the figures of a scenario', () => {
  it('are medians of the rounds, and texts as they are', async () => {
    const cells = [[1, 'lives'], [9, 'lives'], [2, 'dies']]
    const figures = await figuresOf({ rows: ['ours'], measure: async () => cells.shift() }, 3, {})
    assert.deepEqual(figures, { ours: [2, 'dies'] })
  })

  it('are a table with a verdict', () => {
    const scenario = { name: 'x', what: 'happens', columns: ['ms'], figures: { ours: [1.26], theirs: [3] }, faults: [] }
    assert.match(text(scenario), /^x: happens\n +ms\n +ours +1\.3\n +theirs +3\n +ok$/)
    assert.match(text({ ...scenario, faults: ['slow', 'large'] }), /\n {2}FAILED: slow; large$/)
  })
})

describe('npm run attacks:scenarios', () => {
  it('refuses wrong options in one line', () => {
    for (const [arg, message] of [['--filter=zzz', /--filter must be part of a scenario's name, not "zzz"/], ['--rounds=0', /--rounds must be a whole number from 1 to 100/]]) {
      const { status, stderr } = spawnSync(process.execPath, [COMMAND, arg], { encoding: 'utf8' })
      assert.equal(status, 2)
      assert.match(stderr, message)
    }
  })

  it('lists its scenarios', () => {
    const { stdout } = spawnSync(process.execPath, [COMMAND, '--list'], { encoding: 'utf8' })
    for (const { name } of scenarios) assert.ok(stdout.includes(`${name} `), name)
  })
})
