'use strict'

const assert = require('node:assert/strict')
const FAULTS = require('../../../reliability/json-array/faults')
const run = require('../../../reliability/json-array/run')

describe('npm run fuzz -- --against=JSON.parse', function () {
  this.timeout(60_000)

  it('finds no difference, and draws texts of all kinds', () => {
    const { broken, difference, refused } = run(3000, 1)
    assert.equal(difference, null)
    assert.ok(broken > 1000 && broken < 2000, `${broken} are broken`)
    assert.ok(refused > 100, `${refused} have no such array`)
  })

  for (const fault of Object.keys(FAULTS)) {
    it(`finds the injected fault "${fault}"`, () => assert.notEqual(run(2000, 1, fault).difference, null))
  }
})
