'use strict'

// A sample of the matrix: each lane, act, step and client. test/tools/reliability/matrix.js runs every pair, which CI
// does; all cells run nightly.

const assert = require('node:assert/strict')
const { execFile } = require('node:child_process')
const path = require('node:path')

const COMMAND = path.join(__dirname, '../../reliability/matrix')

describe('what other code does to a request, and an app with what it is given', function () {
  this.timeout(240_000) // 5 s on a quiet machine

  // In a process of its own, as what is uncaught must be noticed.
  it('neither hangs, nor ends the process, nor leaves anything behind', (done) => {
    const env = { ...process.env, NODE_V8_COVERAGE: '' }
    execFile(process.execPath, [COMMAND, '--sample'], { env }, (error, stdout, stderr) => {
      if (error !== null) return done(new Error(stdout + stderr))
      assert.match(stdout, /^\d{3} cells in \d+ s, 0 with faults$/m)
      done()
    })
  })
})
