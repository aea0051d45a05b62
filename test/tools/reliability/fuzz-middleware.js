'use strict'

const assert = require('node:assert/strict')
const run = require('../../../reliability/fuzz/run')
const side = require('../../../reliability/web-forms')

const fuzz = (cases, injectFault) => run(side, { cases, seed: 1, injectFault }, () => {})

describe('npm run fuzz -- --against=middleware', function () {
  this.timeout(120_000)

  it('finds no difference, and draws forms, loops and errors of all kinds', async () => {
    const { differences, met } = await fuzz(1000)
    assert.equal(differences, 0)
    assert.ok(met['a form'] > 100 && met.parts > 50, `${met['a form']} forms, ${met.parts} loops`)
    const types = Object.keys(met).filter((name) => name.startsWith('multipart.'))
    assert.ok(types.length > 12, types.join())
  })

  for (const fault of side.faults) {
    it(`finds the injected fault "${fault}"`, async () => assert.equal((await fuzz(400, fault)).differences, 1))
  }
})
