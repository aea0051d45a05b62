'use strict'

const assert = require('node:assert/strict')
const { tracingChannel } = require('node:diagnostics_channel')
const { hasSubscribers, observe } = require('../../lib/extras/diagnostics')

const channel = tracingChannel('fast-body-parser')

/** Observes one exchange that fails, or succeeds; gives the calls of `next`. */
function observeOne (act) {
  const calls = []
  observe({ req: {}, res: {}, next: (...args) => calls.push(args), parser: { name: 'json', observe: null } }, act)
  return calls
}

const fail = (exchange) => exchange.fail('no')
const succeed = (exchange) => exchange.succeed()

describe('diagnostics', () => {
  it('has subscribers if any of its five channels has one, each of which gets its events', () => {
    const events = {
      start: ['json undefined', 'json undefined'],
      end: ['json no', 'json undefined'],
      asyncStart: ['json no', 'json undefined'],
      asyncEnd: ['json no', 'json undefined'],
      error: ['json no']
    }
    for (const [name, expected] of Object.entries(events)) {
      const seen = []
      const listener = ({ parser, error }) => seen.push(`${parser} ${error}`)
      assert.equal(hasSubscribers(), false)
      channel[name].subscribe(listener)
      assert.equal(hasSubscribers(), true, name)
      assert.deepEqual([observeOne(fail), observeOne(succeed)], [[['no']], [[]]])
      channel[name].unsubscribe(listener)
      assert.deepEqual(seen, expected, name)
    }
    assert.equal(hasSubscribers(), false)
  })
})
