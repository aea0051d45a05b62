'use strict'

// Modules that a start does not wait for are loaded a second later. If one cannot
// be loaded, requests in that second that need it get a 500; the server goes on.

const assert = require('node:assert/strict')
const { execFile } = require('node:child_process')
const path = require('node:path')
const { promisify } = require('node:util')

const PROGRAM = path.join(__dirname, '../support/serve-without-files.js')

async function serve (mode) {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, mode], { env: { ...process.env, DEBUG: '' } })
  return JSON.parse(stdout)
}

describe('modules that are preloaded', () => {
  const countTimers = (create) => `
    const timers = globalThis
    const { setTimeout } = timers
    let started = 0
    timers.setTimeout = (...timer) => { started++; return setTimeout(...timer) }
    const { json, text, urlencoded } = require('.')
    ${create}
    console.log(started)`

  async function run (env, create = 'json(); json(); text()') {
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', countTimers(create)], { cwd: path.join(__dirname, '../..'), env: { ...process.env, ...env } })
    return stdout.trim()
  }

  it('have one timer each, however many parsers there are', async () => assert.equal(await run(), '5'))

  it('are the same for all forms, as any form may have brackets', async () => {
    const [plain, extended] = [await run({}, 'urlencoded()'), await run({}, 'urlencoded({ extended: true })')]
    assert.equal(plain, extended)
    assert.equal(plain, '4')
  })

  it('have no timer in Jest, which fails tests after which a module is loaded', async () => {
    assert.equal(await run({ JEST_WORKER_ID: '1' }), '0')
  })
})

describe('a server that can load no files any more', () => {
  let expected

  before(async () => {
    [expected] = await serve('open')
  })

  it('answers as before once it has been up for a second', async () => {
    const [answers] = await serve('warm')
    assert.deepEqual(answers, expected)
  })

  it('answers 500 to requests before that which need a module, and answers them later', async () => {
    const [early, afterwards] = await serve('cold')
    assert.equal(early.length, expected.length)
    const failed = early.filter(({ error }) => error?.status === 500)
    assert.ok(failed.length > 10 && failed.length < early.length)
    for (const [i, answer] of early.entries()) {
      if (answer.error?.status === 500) {
        const { code, expose, statusCode, type } = answer.error
        assert.deepEqual({ code, expose, statusCode, type }, { code: 'EMFILE', expose: false, statusCode: 500, type: 'module.not.loaded' })
      } else {
        assert.deepEqual(answer, expected[i])
      }
    }
    assert.deepEqual(afterwards, expected)
  })
})
