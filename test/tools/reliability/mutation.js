'use strict'

const assert = require('node:assert/strict')
const { existsSync } = require('node:fs')
const path = require('node:path')
const { describe, it } = require('mocha')
const { filesOfLib, recordCalls, testsOf } = require('../../../reliability/mutation/tests-of')

const ROOT = path.join(__dirname, '../../..')

describe('reliability/mutation', () => {
  it('lists each file of lib/, once', () => {
    const files = filesOfLib()
    assert.equal(new Set(files).size, files.length)
    for (const name of ['lib/read.js', 'lib/request/drain.js', ...files]) {
      assert.ok(files.includes(name) && existsSync(path.join(ROOT, name)), name)
    }
  })

  it('records which functions tests call', function () {
    this.timeout(60_000)
    const calls = recordCalls(['--parallel', 'test/multipart/boundary.js', 'test/json/parse.js'])
    assert.deepEqual([...calls.keys()].sort(), ['test/json/parse.js', 'test/multipart/boundary.js'])
    const filesOf = (test) => new Set([...calls.get(test)].map((call) => call.replace(/:\d+$/, '')))
    const seen = (test) => ['json/parse.js', 'multipart/boundary.js'].filter((file) => filesOf(test).has(file))
    assert.deepEqual([seen('test/json/parse.js'), seen('test/multipart/boundary.js')],
      [['json/parse.js'], ['multipart/boundary.js']])
  })

  const CALLS = new Map([
    ['test/all.js', new Set(['a.js:1', 'a.js:2', 'b.js:1', 'b.js:2', 'b.js:3', 'json/parse.js:1'])],
    ['test/few.js', new Set(['a.js:1', 'json/parse.js:1'])],
    ['test/json/all.js', new Set(['a.js:1', 'a.js:2', 'b.js:1', 'b.js:2', 'b.js:3', 'json/parse.js:1', 'read.js:1'])],
    ['test/more.js', new Set(['a.js:1', 'b.js:1', 'b.js:2'])]
  ])
  const rows = [
    ['two that call each function, and least of the rest', 'lib/a.js', ['few', 'more', 'all', 'json/all']],
    ['fewer where fewer call it', 'lib/b.js', ['more', 'all', 'json/all']],
    ['those of its name, and of its room, first', 'lib/json/parse.js', ['json/parse', 'json/all', 'few']],
    ['none that does not call it', 'lib/c.js', []]
  ]
  for (const [title, file, expected] of rows) {
    it(`chooses ${title}`, () => {
      const tests = [...expected.map((name) => `test/${name}.js`), 'test/package/loading.js']
      assert.deepEqual(testsOf(file, CALLS, 2), tests)
    })
  }
})
