'use strict'

const assert = require('node:assert/strict')
const { mock } = require('node:test')
const { createBudget, json } = require('fast-body-parser')
const { Budget } = require('../../../lib/core/lifetime/budget')
const Deadline = require('../../../lib/core/lifetime/deadline')
const attachGuards = require('../../../lib/options/guards')
const { createExchange } = require('../../support/create-exchange')

/** An exchange of a parser with these options. */
const open = (options) =>
  createExchange({}, attachGuards({}, { budget: null, minRate: 0, timeout: Infinity, ...options }))

describe('the guards of budget, timeout and minRate', () => {
  it('belong to one exchange, and the rest of the parser stays as it is', () => {
    const { createGuards, Exchange, guardCollect, ...others } = attachGuards({ name: 'text' },
      { budget: createBudget({ bytes: 10 }), minRate: 0, timeout: Infinity })
    assert.deepEqual(others, { name: 'text' })
    assert.notEqual(createGuards({ req: {} }).reservation, createGuards({ req: {} }).reservation)
  })

  it('take only a budget of createBudget', () => {
    for (const budget of [5, '1mb', {}, { bytes: 5 }, true]) {
      assert.throws(() => json({ budget }),
        { name: 'TypeError', message: 'option budget must be made by createBudget()' })
    }
  })

  it('hold bytes against the budget alone', () => {
    const exchange = open({ budget: createBudget({ bytes: 10 }), timeout: 1000 })
    assert.equal(exchange.reserve(10), null)
    assert.equal(exchange.reserve(1).type, 'budget.exceeded')
    exchange.releaseGuards()
    const unbounded = open({ timeout: 1000 })
    assert.equal(unbounded.reserve(Infinity), null)
    unbounded.releaseGuards()
  })

  describe('are told', () => {
    let told

    beforeEach(() => {
      told = []
      const spy = (prototype, name, methods) => {
        for (const method of methods) {
          const original = prototype[method]
          mock.method(prototype, method, function (...args) {
            told.push([name, method, ...args])
            return original.apply(this, args)
          })
        }
      }
      spy(Deadline.prototype, 'deadline', ['countDrained', 'release'])
      spy(Object.getPrototypeOf(new Budget(1, 0).createReservation({})), 'budget', ['reserve', 'end', 'release'])
    })

    afterEach(() => mock.restoreAll())

    const BUDGET = [['budget', 'reserve', 5], ['budget', 'end'], ['budget', 'release']]
    const DEADLINE = [['deadline', 'countDrained', 3], ['deadline', 'release']]
    const BOTH = [BUDGET[0], DEADLINE[0], ...BUDGET.slice(1), DEADLINE[1]]

    for (const [options, expected] of [
      [{ budget: true }, BUDGET],
      [{ timeout: 1000 }, DEADLINE],
      [{ minRate: 10 }, DEADLINE],
      [{ budget: true, timeout: 1000 }, BOTH],
      [{ budget: true, minRate: 10 }, BOTH]
    ]) {
      it(`what concerns each of ${Object.keys(options).join(' and ')}`, () => {
        const exchange = open({ ...options, ...(options.budget && { budget: createBudget({ bytes: 10 }) }) })
        const calls = [['reserve', 5], ['countDrained', 3], ['setDecoded', 5], ['releaseContent'], ['releaseGuards']]
        for (const [method, ...args] of calls) {
          exchange[method](...args)
        }
        assert.deepEqual(told, expected)
      })
    }
  })
})
