'use strict'

const assert = require('node:assert/strict')
const { mock } = require('node:test')
const { createBudget, json } = require('fast-body-parser')
const { Budget } = require('../../lib/guards/budget')
const Deadline = require('../../lib/guards/deadline')
const extendParser = require('../../lib/guards')

const CALLS = [['held', 5], ['drained', 3], ['completed'], ['discarded'], ['ended']]

/** The guard of an exchange of a parser with these options. */
const guardOf = (options) => extendParser({}, { budget: null, minRate: 0, timeout: Infinity, ...options }).createGuard({ received: 0, req: {} })

describe('the guard of budget, timeout and minRate', () => {
  it('belongs to one exchange, and the rest of the parser stays as it is', () => {
    const { createGuard, ...others } = extendParser({ name: 'text' }, { budget: createBudget({ bytes: 10 }), minRate: 0, timeout: Infinity })
    assert.deepEqual(others, { name: 'text' })
    assert.notEqual(createGuard({ req: {} }), createGuard({ req: {} }))
  })

  it('takes only a budget of createBudget', () => {
    for (const budget of [5, '1mb', {}, { bytes: 5 }, true]) {
      assert.throws(() => json({ budget }), { name: 'TypeError', message: 'option budget must be made by createBudget()' })
    }
  })

  it('refuses bytes for the budget without asking the deadline', () => {
    const guard = guardOf({ budget: createBudget({ bytes: 10 }), timeout: 1000 })
    assert.equal(guard.held(10), null)
    assert.equal(guard.held(1).type, 'budget.exceeded')
    guard.ended()
  })

  describe('tells', () => {
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
      spy(Object.getPrototypeOf(new Budget(1, 0).reserve({ req: {} })), 'budget')
    })

    afterEach(() => mock.restoreAll())

    for (const [options, expected] of [
      [{ budget: true }, ['budget']],
      [{ timeout: 1000 }, ['deadline']],
      [{ minRate: 10 }, ['deadline']],
      [{ budget: true, timeout: 1000 }, ['budget', 'deadline']],
      [{ budget: true, minRate: 10 }, ['budget', 'deadline']]
    ]) {
      it(`${expected.join(' and ')} for ${Object.keys(options).join(' and ')}`, () => {
        const guard = guardOf({ ...options, ...(options.budget && { budget: createBudget({ bytes: 10 }) }) })
        for (const [method, ...args] of CALLS) guard[method](...args)
        assert.deepEqual(told, CALLS.flatMap((call) => expected.map((name) => [name, ...call])))
      })
    }
  })
})
