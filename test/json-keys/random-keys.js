'use strict'

const assert = require('node:assert/strict')
const repair = require('../../lib/json-keys/repair')
const { createRandom, randomInt } = require('../../tools/random')
const { confusesKeys } = require('../../lib/json-keys/json')
const createTexts = require('../support/escaped-texts')
const createJudge = require('../support/poisoned-engine')
const isSame = require('../support/same')

const parse = repair((text, reviver) => JSON.parse(text, reviver))

// FUZZ_RUNS=1000000 draws more texts, FUZZ_SEED others.
const RUNS = Number(process.env.FUZZ_RUNS) || 250
const SEED = Number(process.env.FUZZ_SEED) || 1

/** Faults that the comparison must find. */
const FAULTS = {
  'keys in another order': (object) => Object.fromEntries(Object.entries(object).reverse()),
  'a zero without its sign': (object) =>
    Object.fromEntries(Object.entries(object).map(([name, field]) => [name, field === 0 ? 0 : field])),
  'a key that is lost': (object) => Object.fromEntries(Object.entries(object).slice(1))
}

/** Judges drawn texts until one is wrong. */
async function judgeTexts (runs, injectFault) {
  const random = createRandom(SEED)
  const draw = createTexts(random)
  const judge = createJudge(random, injectFault)
  let wrong = 0 // texts about which JSON.parse is wrong
  for (let count = 0; count < runs; count++) {
    const drawn = draw()
    const { engine, difference } = await judge(drawn)
    if (difference !== null) return { difference: { ...difference, ...drawn }, wrong }
    if (engine) wrong++
  }
  return { difference: null, wrong }
}

describe('random keys with escapes, in an engine that is poisoned', function () {
  this.timeout(60_000 + RUNS)

  it('are right, whole, in slices and in ndjson', async () => {
    const { difference, wrong } = await judgeTexts(RUNS)
    assert.equal(difference, null)
    assert.equal(wrong > 0, confusesKeys())
  })

  for (const [fault, change] of Object.entries(FAULTS)) {
    it(`show ${fault}`, async () => {
      const { difference } = await judgeTexts(5000, (outcome) => {
        outcome.value = changeObjects(outcome.value, change)
      })
      assert.notEqual(difference, null)
    })
  }

  function changeObjects (value, change) {
    if (Array.isArray(value)) return value.map((item) => changeObjects(item, change))
    return typeof value === 'object' && value !== null ? change(value) : value
  }
})

describe('texts changed at random', () => {
  const PIECES = ['"', '\\', '\\"', '{', '}', '[', ']', ':', ',', ' ', '\n', '\x00', '-', '0', '01', '1.', 'e5', '-0',
    'true', 'nul', '\\u00e', '\n\\u003a', '\t\\u002c', '\r\\u007d', '\\ud800', '\u2028', '\uFEFF', '']

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
  }).timeout(30_000) // also of mutants, whose tests have less by default

  function outcomeOf (parse, text) {
    try {
      return { value: parse(text) }
    } catch (error) {
      return { error: String(error) }
    }
  }
})
