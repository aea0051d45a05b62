'use strict'

const assert = require('node:assert/strict')
const createTexts = require('../../reliability/fuzz-keys/generate')
const createJudge = require('../../reliability/fuzz-keys/judge')
const { createRandom } = require('../../tools/random')
const { confusesKeys } = require('../../lib/platform/json')

describe('random keys with escapes, in an engine that is poisoned', function () {
  this.timeout(60_000)

  it('are right, whole and in slices (npm run fuzz:keys)', async () => {
    const random = createRandom(1)
    const draw = createTexts(random)
    const judge = createJudge(random)
    let wrong = 0 // texts about which JSON.parse is wrong
    for (let count = 0; count < 1000; count++) {
      const { engine, difference } = await judge(draw())
      assert.equal(difference, null)
      if (engine) wrong++
    }
    assert.equal(wrong > 0, confusesKeys())
  })
})
