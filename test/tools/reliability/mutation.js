'use strict'

const assert = require('node:assert/strict')
const { existsSync, readFileSync } = require('node:fs')
const path = require('node:path')
const { describe, it } = require('mocha')
const survivors = require('../../../reliability/mutation/survivors.json')
const { filesOfLib, recordCoverage, testsOf } = require('../../../reliability/mutation/tests-of')

const ROOT = path.join(__dirname, '../../..')

describe('reliability/mutation', () => {
  it('lists each file of lib/, once', () => {
    const files = filesOfLib()
    assert.equal(new Set(files).size, files.length)
    for (const name of ['lib/read.js', 'lib/core/request/drain.js', ...files]) {
      assert.ok(files.includes(name) && existsSync(path.join(ROOT, name)), name)
    }
  })

  it('records which blocks tests run', function () {
    this.timeout(60_000)
    const coverage = recordCoverage(['--parallel', 'test/uploads/parts/boundary.js', 'test/formats/json/parse.js'])
    assert.deepEqual([...coverage.keys()].sort(), ['test/formats/json/parse.js', 'test/uploads/parts/boundary.js'])
    const runsIn = (test, file) => (coverage.get(test).ranges[file] ?? []).flat().some(([, , count]) => count > 0)
    const files = ['formats/json/parse.js', 'uploads/parts/boundary.js']
    const seen = (test) => files.filter((file) => runsIn(test, file))
    assert.deepEqual([seen('test/formats/json/parse.js'), seen('test/uploads/parts/boundary.js')],
      [['formats/json/parse.js'], ['uploads/parts/boundary.js']])
  })

  for (const [file, mutants] of Object.entries(survivors)) {
    it(`has reasons for survivors of ${file} as it is`, () => {
      const lines = readFileSync(path.join(ROOT, file), 'utf8').split('\n').map((line) => line.trim().slice(0, 120))
      for (const [mutant, reason] of Object.entries(mutants)) {
        assert.ok(lines.some((line) => mutant.endsWith(` | ${line}`)), mutant)
        assert.ok(reason.length > 0, mutant)
      }
    })
  }

  // Functions from 1 to 9 and from 10 to 19; the first one has a block from 5 to 8.
  const [ONE, BUT_THE_BLOCK, OTHER] = [[[1, 9, 2]], [[1, 9, 2], [5, 8, 0]], [[10, 19, 1]]]
  const RANGES = {
    all: { 'a.js': [...ONE, ...OTHER], 'b.js': [...ONE, ...OTHER], 'formats/json/parse.js': ONE },
    few: { 'a.js': BUT_THE_BLOCK, 'formats/json/parse.js': ONE },
    'json/all': { 'a.js': [...ONE, ...OTHER], 'b.js': ONE, 'formats/json/parse.js': ONE },
    more: { 'a.js': BUT_THE_BLOCK, 'b.js': OTHER }
  }
  const MS = { few: 1, more: 2, all: 3, 'json/all': 4 }
  const COVERAGE = new Map(Object.entries(RANGES).map(([name, files]) => {
    const ranges = Object.fromEntries(Object.entries(files).map(([file, ranges]) => [file, [ranges]])) // one module
    return [`test/${name}.js`, { ms: MS[name], ranges }]
  }))
  const rows = [
    ['the two fastest ones that run each block', 'lib/a.js', ['few', 'more', 'all', 'json/all']],
    ['fewer where fewer run it', 'lib/b.js', ['more', 'all', 'json/all']],
    ['those of its name, and of its room, first', 'lib/formats/json/parse.js', ['json/parse', 'json/all', 'few']],
    ['none that does not run it', 'lib/d.js', []]
  ]
  for (const [title, file, expected] of rows) {
    it(`chooses ${title}`, () => {
      const tests = [...expected.map((name) => `test/${name}.js`), 'test/package/loading.js']
      assert.deepEqual(testsOf(file, COVERAGE, 2), tests)
    })
  }
})
