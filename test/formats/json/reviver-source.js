'use strict'

const assert = require('node:assert/strict')
const { json } = require('fast-body-parser')
const parseContent = require('../../support/parse-content')

const hasSource = JSON.parse('1', (key, value, context) => context?.source) === '1' // Node 22

describe('the third argument of a reviver', () => {
  const reviver = (key, value, context) => typeof value === 'number' ? context?.source ?? value : value
  const body = '{"a":1.50,"b":12345678901234567890,"c":"x"}'

  it(hasSource ? 'has the text of numbers' : 'is not there before Node 22', async () => {
    const expected = hasSource ? { a: '1.50', b: '12345678901234567890', c: 'x' } : JSON.parse(body)
    for (const options of [{}, { strict: false }, { depth: 5 }]) {
      assert.deepEqual(await parseContent(json({ reviver, ...options }), 'application/json', body), expected)
    }
  })
})
