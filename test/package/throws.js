'use strict'

// An error takes longer than all else of a small body, as it gets a stack. Where it is caught, only its time tells.

const assert = require('node:assert/strict')
const { execFile } = require('node:child_process')
const path = require('node:path')
const { promisify } = require('node:util')

describe('a good request', () => {
  const program = path.join(__dirname, 'support/count-throws.js')
  const env = { ...process.env, DEBUG: '', NODE_V8_COVERAGE: '' }
  let served

  before(async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [program], { env, timeout: 25000 })
    served = JSON.parse(stdout)
  })

  it('lets nothing be thrown in lib/, not even what is caught', () => {
    const { 'bad JSON': bad, ...good } = served
    for (const [name, { status, thrown }] of Object.entries(good)) {
      assert.equal(status, 200, name)
      assert.deepEqual(thrown, [], name)
    }
  })

  it('differs from a bad one, whose errors are counted', () => {
    const { status, thrown } = served['bad JSON']
    assert.equal(status, 400)
    assert.match(thrown.join('\n'), /^SyntaxError: .* < .*lib\/formats\/json\/parse\.js:\d+/)
  })
})
