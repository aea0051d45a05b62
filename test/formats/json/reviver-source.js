'use strict'

const assert = require('node:assert/strict')
const subject = require('fast-body-parser')
const { outcomeOfAll } = require('../../support/lane')
const { typed } = require('../../support/outcome')

const hasSource = JSON.parse('1', (key, value, context) => context?.source) === '1' // Node 22

describe('the third argument of a reviver', () => {
  const calls = []
  const reviver = (key, value, ...context) => {
    calls.push([key, value, ...context])
    return typeof value === 'number' && context[0]?.source !== undefined ? context[0].source : value
  }
  const body = '{"a":1.50,"b":12345678901234567890,"c":"x"}'

  it('is what JSON.parse gives', () => {
    calls.length = 0
    JSON.parse(body, reviver)
    const expected = calls.splice(0)
    subject.json({ reviver, buffered: true })({ headers: { 'content-type': 'application/json' }, body }, {}, () => {
      assert.deepEqual(calls, expected)
    })
    return new Promise((resolve) => setImmediate(() => {
      assert.equal(calls.length, 4)
      resolve()
    }))
  })

  it(hasSource ? 'has the text of numbers' : 'is not there before Node 22', async () => {
    const expected = hasSource ? { a: '1.50', b: '12345678901234567890', c: 'x' } : JSON.parse(body)
    for (const options of [{}, { strict: false }, { depth: 5 }]) {
      const { body: parsed } = await outcomeOfAll(subject.json({ reviver, ...options }), 'application/json', body)
      assert.deepEqual(parsed, typed(expected))
    }
  })
})
