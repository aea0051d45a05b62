'use strict'

const assert = require('node:assert/strict')
const run = require('../../../reliability/fuzz/run')
const side = require('../../../reliability/streamed')

const fuzz = (cases, injectFault) => run(side, { cases, seed: 1, injectFault }, () => {})

describe('npm run fuzz -- --against=sent', function () {
  this.timeout(120_000)

  it('finds no difference, and draws forms that are read, left, late, cut and changed', async () => {
    const { differences, met } = await fuzz(500)
    assert.equal(differences, 0)
    for (const outcome of [
      'none of memory: read', 'none of disk: read', 'none of stream: read', 'none of stream: left',
      'none of stream: multipart.field.late', 'cut of stream: request.aborted', 'bit of stream: digest.mismatch',
      'bit of memory: digest.mismatch', 'bit of disk: digest.mismatch'
    ]) assert.ok(met[outcome] > 5, `${outcome}: ${met[outcome]}`)
  })

  for (const fault of side.faults) {
    it(`finds the injected fault "${fault}"`, async () => assert.equal((await fuzz(300, fault)).differences, 1))
  }
})
