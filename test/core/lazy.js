'use strict'

const assert = require('node:assert/strict')
const timers = globalThis
const { lazy, markLoadError } = require('../../lib/core/lazy')

const FILES = ['../../lib/core/lazy', '../../lib/core/compat'].map((name) => require.resolve(name))

/** lib/core/lazy.js, loaded anew, with timers that a test runs itself. */
function withTimers (act) {
  const { setTimeout } = timers
  const loaded = FILES.map((file) => require.cache[file])
  const scheduled = []
  for (const file of FILES) delete require.cache[file]
  timers.setTimeout = (run, delay) => {
    const timer = { run, delay, isHeld: true, unref () { this.isHeld = false } }
    scheduled.push(timer)
    return timer
  }
  try {
    act(require(FILES[0]), scheduled)
  } finally {
    timers.setTimeout = setTimeout
    for (const [i, file] of FILES.entries()) require.cache[file] = loaded[i]
  }
}

describe('lazy', () => {
  it('loads with the first call, and once', () => {
    let loads = 0
    const load = lazy(() => ({ count: ++loads }))
    assert.equal(loads, 0)
    assert.equal(load(), load())
    assert.equal(loads, 1)
  })

  it('throws an error of status 500 if that fails, and tries again with the next call', () => {
    const error = Object.assign(new Error('EMFILE'), { code: 'EMFILE' })
    let isBroken = true
    const load = lazy(() => {
      if (isBroken) throw error
      return 'loaded'
    })
    for (let i = 0; i < 2; i++) assert.throws(load, (thrown) => thrown === error)
    assert.deepEqual({ ...error }, { code: 'EMFILE', expose: false, status: 500, statusCode: 500, type: 'module.not.loaded' })
    isBroken = false
    assert.equal(load(), 'loaded')
  })

  it('marks an error of require as a fault of the server', () => {
    const error = new Error('no')
    assert.equal(markLoadError(error), error)
    assert.equal(error.status, 500)
  })
})

describe('preload', () => {
  it('loads each module once, a second after the first parser was made, with a pause between two', () => withTimers(({ preload }, scheduled) => {
    const loaded = []
    const [a, b, c] = ['a', 'b', 'c'].map((name) => () => loaded.push(name))
    for (const load of [a, b, b, c]) preload(load)
    assert.deepEqual(scheduled.map(({ delay }) => delay), [1000, 1010, 1020])
    assert.deepEqual(loaded, [])
    for (const { run } of scheduled) run()
    assert.deepEqual(loaded, ['a', 'b', 'c'])
    preload(a)
    assert.equal(scheduled.length, 3)
  }))

  it('leaves the error of a module that cannot be loaded to the request that needs it', () => withTimers(({ preload }, scheduled) => {
    preload(() => { throw new Error('no') })
    assert.doesNotThrow(scheduled[0].run)
  }))

  it('does not keep the process alive', () => withTimers(({ preload }, scheduled) => {
    preload(() => {})
    assert.deepEqual(scheduled.map(({ isHeld }) => isHeld), [false])
  }))

  it('takes a faked timer without `unref`', () => withTimers(({ preload }, scheduled) => {
    scheduled.push = (timer) => { delete timer.unref }
    assert.doesNotThrow(() => preload(() => {}))
  }))
})
