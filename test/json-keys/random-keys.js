'use strict'

const assert = require('node:assert/strict')
const repair = require('../../lib/json-keys/repair')
const { createRandom, randomInt } = require('../../tools/random')
const confusesKeys = require('../support/confuses-keys')
const createTexts = require('../support/escaped-texts')
const { reference } = require('../support/json-reference')
const isSame = require('../support/same')

const parse = repair((text, reviver) => JSON.parse(text, reviver))

// FUZZ_RUNS=1000000 draws more texts, FUZZ_SEED others.
const RUNS = Number(process.env.FUZZ_RUNS) || 250
const SEED = Number(process.env.FUZZ_SEED) || 1

const KEPT = 3000 // poisonous objects: what follows a key is remembered as long as there is one

describe('random keys with escapes, in an engine that is poisoned', function () {
  this.timeout(60_000 + RUNS)

  it('are right', () => {
    const draw = createTexts(createRandom(SEED))
    const kept = []
    let wrong = 0 // texts about which JSON.parse is wrong
    for (let count = 0; count < RUNS; count++) {
      const { text, poison } = draw()
      kept[count % KEPT] = JSON.parse(poison)
      const truth = reference(text)
      assert.ok(isSame(parse(text), truth), text)
      if (!isSame(JSON.parse(text), truth)) wrong++
    }
    assert.equal(wrong > 0, confusesKeys())
  })
})

describe('texts changed at random', () => {
  const PIECES = ['"', '\\', '\\"', '{', '}', '[', ']', ':', ',', ' ', '\n', '\x00', '-', '0', '01', '1.', 'e5', '-0',
    'true', 'nul', '\\u00e', '\n\\u003a', '\t\\u002c', '\r\\u007d', '\\ud800', '\u2028', '\uFEFF', '']

  it('are read, or refused, as by JSON.parse', () => {
    const random = createRandom(2)
    const draw = createTexts(random)
    for (let count = 0; count < 1500; count++) {
      let { text } = draw()
      for (let changes = randomInt(4, random); changes > 0; changes--) {
        const at = randomInt(text.length + 1, random)
        text = text.slice(0, at) + PIECES[randomInt(PIECES.length, random)] + text.slice(at + randomInt(3, random))
      }
      const [ours, theirs] = [outcomeOf(parse, text), outcomeOf(JSON.parse, text)]
      assert.equal(ours.error, theirs.error, text)
      assert.ok(isSame(ours.value, theirs.value) || confusesKeys(), text)
    }
  }).timeout(30_000) // also of mutants, whose tests have less by default

  function outcomeOf (parse, text) {
    try {
      return { value: parse(text) }
    } catch (error) {
      return { error: String(error) }
    }
  }
})
