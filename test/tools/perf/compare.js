'use strict'

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { after, before, describe, it } = require('mocha')
const result = require('./support/result')

const PERF = path.join(__dirname, '../../../perf')

describe('perf/compare', function () {
  this.timeout(20_000) // ms; a process per test

  let folder

  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'perf-compare-'))
    save('a.json', saved('A'))
    save('b.json', saved('B'))
  })

  after(() => folder && fs.rmSync(folder, { recursive: true }))

  it('compares two files, and writes a third', () => {
    const { status, stdout, stderr } = compare('a.json', 'b.json', '--threshold=5', '--output=c.json')
    assert.equal(status, 0, stderr)
    assert.match(stdout, /=> equivalent/)
    assert.equal(JSON.parse(fs.readFileSync(path.join(folder, 'c.json'))).verdict.decision, 'equivalent')
  })

  for (const [what, change, message] of [
    ['without scenarios', { scenarios: undefined }, /error: x\.json is no complete result: see its scenarios$/],
    ['without blocks', { scenarios: [{ ...saved('B').scenarios[0], blocks: [] }] }, /see its scenarios\[0\]\.blocks$/],
    ['without averages', { serverResults: {} }, /see its serverResults\.one$/],
    ['without status codes', { clientResults: [{ title: 'two', statusCodeStats: {} }] }, /see its clientResults, which lack one$/],
    ['that is something else', { format: 'x' }, /x\.json is no file of the format/]
  ]) {
    it(`refuses a result ${what}`, () => {
      save('x.json', { ...saved('B'), ...change })
      refuses(['a.json', 'x.json'], message)
    })
  }

  it('refuses a histogram that cannot be read', () => {
    refuses(['a.json', 'b.json', '--report', '--output=c.json'], /a histogram of latency cannot be read/)
  })

  it('does not write over what it reads', () => {
    refuses(['a.json', 'b.json', '--output=./b.json'], /b\.json is to be compared, not to be written/)
  })

  function refuses (args, message) {
    const { status, stderr } = compare(...args)
    assert.equal(status, 1)
    assert.match(stderr.trim(), message)
    assert.doesNotMatch(stderr, /\n {4}at /)
  }

  function compare (...args) {
    return spawnSync(process.execPath, [path.join(PERF, 'compare.js'), ...args], { cwd: folder, encoding: 'utf8' })
  }

  function save (name, value) {
    fs.writeFileSync(path.join(folder, name), JSON.stringify(value))
  }
})

function saved (side) {
  return { format: 'fast-body-parser/load-result/3', ...result(side, ['one'], { histogram: 'none' }) }
}
