'use strict'

// A few cases of `npm run fuzz:multipart` and `npm run soak:uploads`.

const assert = require('node:assert/strict')
const { execFile } = require('node:child_process')
const path = require('node:path')
const { promisify } = require('node:util')
const { runCuts } = require('../support/cut-uploads')
const { expectedOf, randomForm } = require('../support/random-form')

const COMMAND = path.join(__dirname, '../../reliability/multipart/forms.js')

describe('random forms', () => {
  it('are read back as they were written', async function () {
    this.timeout(60_000)
    const { stdout } = await promisify(execFile)(process.execPath, [COMMAND, '300'], { env: { ...process.env, NODE_V8_COVERAGE: '' } })
    assert.match(stdout, /^300 forms of \d+ parts, \d+ bytes, read back\n$/)
  })

  it('differ from forms that were changed', () => {
    const { parts } = randomForm(2)
    assert.ok(parts.length > 0)
    assert.notDeepEqual(expectedOf(parts.slice(1)), expectedOf(parts))
  })
})

describe('uploads that are cut off', () => {
  it('leave no file, descriptor or memory in use, and call next once', async function () {
    this.timeout(60_000)
    const { outcomes, ...left } = await runCuts(60, 1)
    assert.deepEqual(left, { faults: [], files: 0, bytes: 0, descriptors: 0 })
    assert.ok(outcomes['disk: request.aborted'] > 0)
  })
})
