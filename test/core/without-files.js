'use strict'

// A process may open no file any more (EMFILE), or its files may have been
// deleted: what a request needs was loaded when its parser was made. The tables
// of some charsets, such as EUC-JP, are the exception, as they are large.

const assert = require('node:assert/strict')
const { execFile } = require('node:child_process')
const path = require('node:path')
const { promisify } = require('node:util')

const PROGRAM = path.join(__dirname, '../support/serve-without-files.js')

async function serve (mode) {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, mode], { env: { ...process.env, DEBUG: '' } })
  return JSON.parse(stdout)
}

describe('a server that can load no files any more', () => {
  it('answers all requests as before', async () => {
    const [expected, { answers, failed }] = await Promise.all([serve('open'), serve('shut')])
    assert.deepEqual(failed, [])
    assert.deepEqual(answers, expected.answers)
    assert.ok(answers.filter(({ body }) => body !== undefined).length > 15)
  })
})
