'use strict'

const assert = require('node:assert/strict')
const createTexts = require('../../reliability/fuzz-keys/generate')
const createJudge = require('../../reliability/fuzz-keys/judge')
const parse = require('../../lib/platform/parse')
const { createRandom, randomInt } = require('../../tools/random')
const { confusesKeys } = require('../../lib/platform/json')
const isSame = require('../support/same')

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

describe('texts changed at random', () => {
  const PIECES = ['"', '\\', '\\"', '{', '}', '[', ']', ':', ',', ' ', '\n', '\x00', '-', '0', '01', '1.', 'e5', '-0', 'true', 'nul', '\\u00e', '\\ud800', '\u2028', '\uFEFF', '']

  it('are read, or refused, as by JSON.parse', () => {
    const random = createRandom(2)
    const draw = createTexts(random)
    for (let count = 0; count < 5000; count++) {
      let { text } = draw()
      for (let changes = randomInt(4, random); changes > 0; changes--) {
        const at = randomInt(text.length + 1, random)
        text = text.slice(0, at) + PIECES[randomInt(PIECES.length, random)] + text.slice(at + randomInt(3, random))
      }
      const [ours, theirs] = [outcomeOf(parse, text), outcomeOf(JSON.parse, text)]
      assert.equal(ours.error, theirs.error, text)
      assert.ok(isSame(ours.value, theirs.value) || confusesKeys(), text)
    }
  })

  function outcomeOf (parse, text) {
    try {
      return { value: parse(text) }
    } catch (error) {
      return { error: String(error) }
    }
  }
})
