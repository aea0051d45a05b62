'use strict'

// What V8 creates in old space keeps all that it refers to until the next full
// garbage collection, and so makes those more frequent: uploads to memory took
// twice the time. See `YOUNG` in eslint.config.mjs.

const assert = require('node:assert/strict')
const { execFileSync } = require('node:child_process')
const path = require('node:path')

const PROGRAM = path.join(__dirname, '../support/kept-bytes.js')
const SIZE = 100_000 // bytes of each body
const MOST = SIZE / 4 // a few bodies of twenty may not be freed yet

describe('the bytes of a request do not outlive it in young memory', () => {
  it('in any way to read them', () => {
    const kept = JSON.parse(execFileSync(process.execPath, ['--expose-gc', PROGRAM], { encoding: 'utf8' }))
    assert.notDeepEqual(kept, {})
    for (const [way, bytes] of Object.entries(kept)) assert.ok(bytes < MOST, `${way}: ${bytes} bytes of each are kept`)
  })
})
