'use strict'

// What an ordinary request goes through. A call costs about as much as a check,
// and a reader has to follow each: a new one on this way needs a reason.

const assert = require('node:assert/strict')
const { execFile } = require('node:child_process')
const path = require('node:path')
const { promisify } = require('node:util')
const confusesKeys = require('../support/confuses-keys')

describe('a small JSON body', () => {
  it('makes at most 27 calls in 10 files of lib/, and one more where the engine confuses escaped keys', async () => {
    const program = path.join(__dirname, 'support/count-calls.js')
    const { stdout } = await promisify(execFile)(process.execPath, [program],
      { env: { ...process.env, DEBUG: '', NODE_V8_COVERAGE: '' } })
    const { answer, calls } = JSON.parse(stdout)
    const listed = calls.map(({ file, name, count }) => `${count} ${file} ${name}`).join('\n')
    assert.equal(answer, '2')
    assert.ok(calls.some(({ name }) => name === 'jsonParser'), listed)
    assert.ok(calls.reduce((sum, { count }) => sum + count, 0) <= (confusesKeys() ? 28 : 27), listed)
    assert.ok(new Set(calls.map(({ file }) => file)).size <= 10, listed)
  })
})
