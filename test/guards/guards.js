'use strict'

const assert = require('node:assert/strict')
const { mock } = require('node:test')
const { createBudget } = require('fast-body-parser')
const { Budget } = require('../../lib/extras/budget')
const Deadline = require('../../lib/extras/deadline')
const createObserve = require('../../lib/extras/observers')

const CALLS = [['held', 5], ['drained', 3], ['completed'], ['discarded'], ['ended']]

describe('the observer of budget, timeout and minRate', () => {
  it('is missing where none of them bounds anything', () => {
    for (const options of [{ timeout: Infinity }, { minRate: 0 }, { timeout: Infinity, minRate: 0 }, { budget: null }]) assert.equal(createObserve(options), null)
  })

  let told

  beforeEach(() => {
    told = []
    const spy = (prototype, name) => {
      for (const [method] of CALLS) {
        const original = prototype[method]
        mock.method(prototype, method, function (...args) {
          told.push([name, method, ...args])
          return original.apply(this, args)
        })
      }
    }
    spy(Deadline.prototype, 'deadline')
    spy(Object.getPrototypeOf(new Budget(1, 0).observe({ req: {} })), 'budget')
  })

  afterEach(() => mock.restoreAll())

  for (const [options, expected] of [
    [{ budget: true }, ['budget']],
    [{ timeout: 1000 }, ['deadline']],
    [{ minRate: 10 }, ['deadline']],
    [{ budget: true, timeout: 1000 }, ['budget', 'deadline']],
    [{ budget: true, minRate: 10 }, ['budget', 'deadline']]
  ]) {
    it(`tells ${expected.join(' and ')} for ${Object.keys(options).join(' and ')}`, () => {
      const budget = options.budget && createBudget({ bytes: 10 })
      const observer = createObserve({ ...options, budget })({ received: 0, req: {} })
      for (const [method, ...args] of CALLS) observer[method](...args)
      assert.deepEqual(told, CALLS.flatMap((call) => expected.map((name) => [name, ...call])))
    })
  }
})
