'use strict'

const assert = require('node:assert/strict')
const run = require('../../../reliability/fuzz/run')
const side = require('../../../reliability/json-array')

const fuzz = (cases, injectFault) => run(side, { cases, seed: 1, injectFault }, () => {})

describe('npm run fuzz -- --against=JSON.parse', function () {
  this.timeout(60_000)

  it('finds no difference, and draws texts of all kinds', async () => {
    const { differences, met } = await fuzz(3000)
    assert.equal(differences, 0)
    const broken = met['entity.parse.failed']
    assert.ok(broken > 1000 && broken < 2000, `${broken} are broken`)
    const refused = met['records.not.found'] + met['records.ambiguous']
    assert.ok(refused > 100, `${refused} have no such array`)
  })

  for (const fault of side.faults) {
    it(`finds the injected fault "${fault}"`, async () => assert.equal((await fuzz(2000, fault)).differences, 1))
  }
})

describe('a case that differs', () => {
  it('is shrunk, and found again by its path', async () => {
    const texts = []
    const settings = { cases: 2000, seed: 1, injectFault: 'lost' }
    await run(side, settings, (text) => texts.push(text))
    const [, path] = /^again: npm run fuzz -- --against=JSON\.parse --seed=1 --path=([\d:]+)$/m.exec(texts[0])
    assert.match(texts[0], /text: ".{0,150}"\n/)
    assert.match(texts[0], /items: \[.*\]\n/)
    assert.equal((await run(side, { ...settings, path }, () => {})).differences, 1)
    assert.equal((await run(side, { ...settings, path, injectFault: null }, () => {})).differences, 0)
  })
})
