'use strict'

// The table of reliability/hostile-forms.md is what the peers do.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const fc = require('fast-check')
const { form } = require('../../support/upload')
const { outcomeOf, peers, printTable } = require('../../support/upload-peers')

describe('the peers of multipart', () => {
  it('do what reliability/hostile-forms.md says', async function () {
    this.timeout(20_000)
    const page = fs.readFileSync(path.join(__dirname, '../../../reliability/hostile-forms.md'), 'utf8')
    const rows = (await printTable()).split('\n')
    // undici is that of Node.js, and changes with it.
    const compared = (row) => row.split(' | ').slice(0, -1).join(' | ')
    const documented = page.split('\n').map(compared)
    for (const row of rows) assert.ok(documented.includes(compared(row)), row)
  })

  it('agree on ordinary forms', async function () {
    this.timeout(20_000)
    // undici of Node.js 20 takes any `b` in a value for this boundary.
    const word = fc.stringMatching(/^[ac-z]{1,8}$/)
    const part = fc.oneof(fc.tuple(word, word), fc.tuple(word, word, word, fc.constant('text/plain')))
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    await fc.assert(fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 5 }), async (parts) => {
      const outcomes = await Promise.all(Object.keys(peers).map((name) => outcomeOf(name, headers, form(...parts))))
      const [first, ...others] = outcomes.map((outcome) => outcome.split(' ').sort().join(' '))
      assert.equal(first.split(' ').length, parts.length)
      for (const other of others) assert.equal(other, first)
    }), { numRuns: 100 })
  })
})
