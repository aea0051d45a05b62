'use strict'

const assert = require('node:assert/strict')
const { execFileSync } = require('node:child_process')

const WORKER = require.resolve('../../../bench/worker.mjs')

describe('the modules of a cold start', () => {
  for (const [id, least] of [['ours', 40], ['milliparsec', 2]]) {
    it(`are all that ${id} loads, CommonJS or ES`, () => {
      const { modules } = JSON.parse(execFileSync(process.execPath, ['--no-warnings', WORKER, 'cold', '', id]))
      assert.ok(modules >= least, `${modules}`)
    })
  }
})
