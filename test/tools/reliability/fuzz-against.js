'use strict'

// The other fuzzers, each in this process: they must find injected faults, and nothing where there is no fault.

const assert = require('node:assert/strict')
const run = require('../../../reliability/fuzz/run')

const HEARD = [ // of --against=sent, by how the form arrives
  'whole: a form', 'whole: a form, left', 'whole: parts', 'whole: multipart.field.late', 'aborted: request.aborted',
  'bit: digest.mismatch'
]

/**
 * @typedef {object} Row
 * @property {import('../../../reliability/fuzz/run').Side} side
 * @property {number} cases in which there is no difference
 * @property {number} few in which an injected fault is found
 * @property {(tally: object) => void} check whether all kinds are drawn
 *
 * @type {Record<string, Row>}
 */
const FUZZERS = {
  'JSON.parse': {
    side: require('../../../reliability/json-array'),
    cases: 3000,
    few: 2000,
    check ({ met }) {
      const broken = met['entity.parse.failed']
      assert.ok(broken > 1000 && broken < 2000, `${broken} are broken`)
      const refused = met['records.not.found'] + met['records.ambiguous']
      assert.ok(refused > 100, `${refused} have no such array`)
    }
  },
  sent: {
    side: require('../../../reliability/forms/sent'),
    cases: 400,
    few: 400,
    check ({ met }) {
      for (const outcome of HEARD) assert.ok(met[outcome] > 3, `${outcome}: ${met[outcome]}`)
      const types = Object.keys(met).filter((name) => name.startsWith('multipart.'))
      assert.ok(types.length > 12, types.join())
    }
  },
  multer: {
    side: require('../../../reliability/forms/multer'),
    cases: 150,
    few: 300,
    check ({ met, rules }) {
      assert.equal(Object.keys(rules).length, 2)
      assert.ok(Object.keys(met).length > 7, Object.keys(met).join())
    }
  }
}

for (const [name, { side, cases, few, check }] of Object.entries(FUZZERS)) {
  const fuzz = (cases, injectFault) => run(side, { cases, seed: 1, injectFault }, () => {})

  describe(`npm run fuzz -- --against=${name}`, function () {
    this.timeout(300_000) // on a busy machine

    it('finds no difference that is not meant, and draws all kinds of cases', async () => {
      const tally = await fuzz(cases)
      assert.equal(tally.differences, 0)
      check(tally)
    })

    for (const fault of side.faults) {
      it(`finds the injected fault "${fault}"`, async () => assert.equal((await fuzz(few, fault)).differences, 1))
    }
  })
}

describe('a case that differs', () => {
  it('is shrunk, and found again by its path', async () => {
    const { side } = FUZZERS['JSON.parse']
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
