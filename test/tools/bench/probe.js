'use strict'

const assert = require('node:assert')
const { execFileSync } = require('node:child_process')

const PROBE = require.resolve('../../../bench/probe')

function modulesOf (id, makes) {
  return JSON.parse(execFileSync(process.execPath, ['--no-warnings', PROBE, id, String(makes)], { encoding: 'utf8' })).modules
}

describe('bench: modules of a cold start', () => {
  it('are those of require()', () => {
    assert.strictEqual(modulesOf('./stack', false), 1)
    assert.strictEqual(modulesOf('./rows/row', false), 2)
  })

  it('are ES modules as well', () => {
    assert.ok(modulesOf('milliparsec', true) > 1)
  })
})
