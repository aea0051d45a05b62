'use strict'

const assert = require('node:assert/strict')
const { existsSync } = require('node:fs')
const path = require('node:path')
const { describe, it } = require('mocha')
const testsOf = require('../../../reliability/mutation/tests-of')

const ROOT = path.join(__dirname, '../../..')

describe('reliability/mutation', () => {
  it('lists tests for each file of lib/, once', () => {
    const files = testsOf()
    assert.equal(new Set(files.map(({ name }) => name)).size, files.length)
    assert.ok(files.some(({ name }) => name === 'lib/read.js'))
    assert.ok(files.some(({ name }) => name === 'lib/request/drain.js'))
    for (const { name, tests } of files) {
      assert.ok(existsSync(path.join(ROOT, name)), name)
      assert.ok(tests.length > 0, name)
      for (const test of tests) assert.ok(existsSync(path.join(ROOT, test)), `${name}: ${test}`)
    }
  })
})
