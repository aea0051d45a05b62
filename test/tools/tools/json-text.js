'use strict'

const assert = require('node:assert/strict')
const jsonText = require('../../../tools/json-text')

const NUMBERS = Array.from({ length: 60 }, (_, i) => i / 7)

describe('JSON of figures', () => {
  for (const [what, value] of Object.entries({
    numbers: NUMBERS,
    'lists in lists': [NUMBERS, [[], {}, NUMBERS]],
    'what JSON lacks': [[undefined, ...NUMBERS], [{ a: undefined }, undefined, NUMBERS, NaN]],
    objects: { a: { few: [1, 2], many: NUMBERS }, text: 'a\n  b', none: null, [`"${'x'.repeat(200)}`]: 1 }
  })) {
    it(`is the same value as JSON: ${what}`, () =>
      assert.deepEqual(JSON.parse(jsonText(value)), JSON.parse(JSON.stringify(value))))
  }

  it('is on one line if it fits, and has no line of more than 120 characters', () => {
    assert.equal(jsonText({ a: [1, 2], b: undefined, c: 'x' }), '{ "a": [ 1, 2 ], "c": "x" }')
    const lines = jsonText({ many: NUMBERS, few: { a: 1 } }).split('\n')
    assert.ok(lines.every((line) => line.length <= 120))
    assert.ok(lines.includes('  "few": { "a": 1 }'))
  })
})
