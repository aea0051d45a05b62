'use strict'

const assert = require('node:assert/strict')
const { execFileSync } = require('node:child_process')
const { nextTick, stackOf } = require('../../lib/core/platform')
const loadAgain = require('../support/load-again')
const within = require('../support/within')

const COMPAT = require.resolve('../../lib/core/platform')

describe('compat', () => {
  it('keeps the timers of the time when it was loaded, which tests may fake later', () => {
    const script = `
      const timers = require('node:timers')
      const { nextTick } = process
      const { setTimeout } = timers
      const compat = require(${JSON.stringify(COMPAT)})
      process.nextTick = timers.setTimeout = null
      compat.nextTick((...args) => {
        process.nextTick = nextTick
        console.log(...args, compat.setTimeout === setTimeout)
      }, 'a', 'b')`
    assert.equal(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }).trim(), 'a b true')
  })

  it('takes a timer where there are no immediates, as in browsers', () => {
    assert.equal(within(globalThis, { setImmediate: undefined }, () => loadAgain(COMPAT)).setImmediate, setTimeout)
  })

  it('calls at once where there are no timers, as in a sandbox', () => {
    const seen = []
    const none = { setImmediate: undefined, setTimeout: undefined }
    within(globalThis, none, () => loadAgain(COMPAT)).setImmediate((...args) => seen.push(args), 1, 2)
    assert.deepEqual(seen, [[1, 2]])
  })

  it('keeps the zone of zone.js in the next tick, but takes no other global of that name for it', async () => {
    const wrap = (act, source) => (...args) => act(source, ...args)
    for (const [Zone, expected] of [
      [{ current: { wrap } }, ['body-parser', 1]], [{ current: {} }, [1]], [class {}, [1]]
    ]) {
      const call = () => new Promise((resolve) => nextTick((...args) => resolve(args), 1))
      assert.deepEqual(await within(globalThis, { Zone }, call), expected)
    }
  })

  it('passes arguments on in the next turn where there is no process, as in browsers and workers', async () => {
    const { nextTick } = within(globalThis, { process: undefined }, () => loadAgain(COMPAT))
    const seen = []
    const called = new Promise((resolve) => nextTick((...args) => resolve(seen.push(...args)), 1, 2))
    assert.deepEqual(seen, [])
    await called
    assert.deepEqual(seen, [1, 2])
  })

  describe('stackOf', () => {
    it('is the stack of an error, or the first line for a SyntaxError without one', () => {
      const error = new TypeError('no')
      assert.equal(stackOf(error), error.stack)
      assert.equal(stackOf(Object.assign(new SyntaxError('no'), { stack: undefined })), 'SyntaxError: no')
      assert.equal(stackOf(Object.assign(new TypeError('no'), { stack: undefined })), undefined)
    })
  })
})
