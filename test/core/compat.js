'use strict'

const assert = require('node:assert/strict')
const { execFileSync } = require('node:child_process')
const { tracingChannel } = require('node:diagnostics_channel')
const zlib = require('node:zlib')
const { nextTick, reportsFaults, stackOf, subscriberCheck } = require('../../lib/core/compat')
const loadAgain = require('../support/load-again')

const COMPAT = require.resolve('../../lib/core/compat')

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

  it('keeps the zone of zone.js in the next tick, but takes no other global of that name for it', async () => {
    const wrap = (act) => (...args) => act('zone', ...args)
    for (const [Zone, expected] of [[{ current: { wrap } }, ['zone', 1]], [{ current: {} }, [1]], [class {}, [1]]]) {
      globalThis.Zone = Zone
      try {
        assert.deepEqual(await new Promise((resolve) => nextTick((...args) => resolve(args), 1)), expected)
      } finally {
        delete globalThis.Zone
      }
    }
  })

  it('loads nothing later in Jest, which fails tests after which something is loaded', () => {
    assert.equal(loadAgain(COMPAT).canLoadLater, true)
    process.env.JEST_WORKER_ID = '1'
    try {
      assert.equal(loadAgain(COMPAT).canLoadLater, false)
    } finally {
      delete process.env.JEST_WORKER_ID
    }
  })

  it('can be loaded where there is no process', () => {
    const { process } = globalThis
    globalThis.process = undefined
    try {
      assert.equal(loadAgain(COMPAT).nextTick instanceof Function, true)
    } finally {
      globalThis.process = process
    }
  })

  describe('subscriberCheck', () => {
    const channel = tracingChannel('fast-body-parser:test')
    const { start, end, asyncStart, asyncEnd, error } = channel
    const parts = { start, end, asyncStart, asyncEnd, error }

    it('asks the tracing channel where that knows whether it has subscribers', () => {
      const fake = { ...parts, hasSubscribers: false }
      const hasSubscribers = subscriberCheck(fake)
      assert.equal(hasSubscribers(), false)
      fake.hasSubscribers = true
      assert.equal(hasSubscribers(), true)
    })

    it('asks each of its five channels in a Node before 20.13, where it does not', () => {
      const hasSubscribers = subscriberCheck(parts)
      assert.equal(hasSubscribers(), false)
      for (const part of Object.values(parts)) {
        const listener = () => {}
        part.subscribe(listener)
        assert.equal(hasSubscribers(), true, part.name)
        part.unsubscribe(listener)
        assert.equal(hasSubscribers(), false, part.name)
      }
    })
  })

  describe('reportsFaults', () => {
    it('tells a decoder that throws from one that does not', () => {
      assert.equal(reportsFaults(() => Buffer.alloc(0)), false)
      if (process.versions.deno === undefined) assert.equal(reportsFaults(zlib.brotliDecompressSync), true)
    })
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
