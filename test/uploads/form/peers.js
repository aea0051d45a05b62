'use strict'

// The table of reliability/hostile-forms.md is what the peers do.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const printTable = require('../../support/upload-peers')

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
})
