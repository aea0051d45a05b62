'use strict'

// A sample of the matrix: each lane, each act at each step. test/tools/reliability/matrix.js runs every pair, which CI
// does; all cells run nightly.

const assert = require('node:assert/strict')
const { spawn } = require('node:child_process')
const { once } = require('node:events')
const path = require('node:path')
const { text } = require('node:stream/consumers')

const COMMAND = path.join(__dirname, '../../reliability/matrix')

/** In a process of its own, as what is uncaught must be noticed. */
async function matrix (...args) {
  const child = spawn(process.execPath, [COMMAND, ...args], { env: { ...process.env, NODE_V8_COVERAGE: '' } })
  const [[status], stdout, stderr] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)])
  return { status, stdout, stderr }
}

async function assertNoFaults (half) {
  const { status, stdout, stderr } = await matrix('--sample', `--half=${half}`)
  assert.equal(status, 0, stdout + stderr)
  assert.match(stdout, /^\d{3} cells in \d+ s, 0 with faults$/m)
}

describe('a request that other code acts on while it is parsed', function () {
  this.timeout(240_000) // 4 s on a quiet machine

  it('calls next once, leaves nothing behind, and has the outcome of body-parser', () => assertNoFaults('request'))
})

describe('what an app is given', function () {
  this.timeout(240_000) // 4 s on a quiet machine

  it('is read as it was sent, or is an error, whatever the app and its client do', () => assertNoFaults('app'))
})
