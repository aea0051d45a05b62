'use strict'

// What requests go through, told by programs of their own: a call costs about as much as a check, and a reader has to
// follow each; an error takes longer than all else of a small body, as it gets a stack, and where it is caught, only
// its time tells; and a module that a request loads needs a file.

const assert = require('node:assert/strict')
const { execFile } = require('node:child_process')
const path = require('node:path')
const { promisify } = require('node:util')
const confusesKeys = require('../support/confuses-keys')

const execute = promisify(execFile)

/** What a program of ./support prints. */
async function run (name) {
  const env = { ...process.env, DEBUG: '', NODE_V8_COVERAGE: '' }
  const { stdout } = await execute(process.execPath, [path.join(__dirname, 'support', name)], { env })
  return JSON.parse(stdout)
}

describe('a small JSON body', () => {
  it('makes at most 27 calls in 10 files of lib/, and one more where the engine confuses escaped keys', async () => {
    const { answer, calls } = await run('count-calls.js')
    const listed = calls.map(({ file, name, count }) => `${count} ${file} ${name}`).join('\n')
    assert.equal(answer, '2')
    assert.ok(calls.some(({ name }) => name === 'jsonParser'), listed)
    assert.ok(calls.reduce((sum, { count }) => sum + count, 0) <= (confusesKeys() ? 28 : 27), listed)
    assert.ok(new Set(calls.map(({ file }) => file)).size <= 10, listed)
  })
})

describe('a good request', () => {
  it('lets nothing be thrown in lib/, not even what is caught, unlike a bad one', async () => {
    const { 'bad JSON': bad, ...good } = await run('count-throws.js')
    for (const [name, seen] of Object.entries(good)) assert.deepEqual(seen, { status: 200, thrown: [] }, name)
    assert.equal(bad.status, 400)
    assert.match(bad.thrown.join('\n'), /^SyntaxError: .* < .*lib\/formats\/json\/parse\.js:\d+/)
  })
})

describe('a request', () => {
  it('loads no module, and is answered although none can be loaded', async function () {
    this.timeout(300_000) // ms; the program loads the package anew for each parser: three seconds of a core
    const answers = await run('requests-without-files.js')
    assert.ok(answers.length > 40)
    for (const { parser, failed, answer, expected } of answers) {
      assert.deepEqual(failed, [], parser)
      assert.equal(answer, expected, parser)
    }
    assert.ok(answers.filter(({ answer }) => 'body' in JSON.parse(answer)).length > 15)
  })
})
