'use strict'

// The rules by which promises of the app's are awaited.

const assert = require('node:assert/strict')
const { setImmediate: turn } = require('node:timers/promises')
const { wait, waitAsync } = require('../../../lib/core/lifetime/wait')
const { nextUncaught } = require('../../support/uncaught')

/** What is told, and how often the fault is forgotten. */
function begin (act, promise, hasFailed = false) {
  const seen = { told: [], forgotten: 0 }
  const note = (name) => (value) => seen.told.push(`${name} ${value}`)
  const follow = (end) => {
    seen.end = end
    if (hasFailed) setImmediate(end, 'left')
  }
  act(promise, { follow, forget: () => { seen.forgotten++ } }, note)
  return seen
}

const ways = {
  wait: (promise, ending, note) => wait(promise, ending, note('value'), note('error'), note('error')),
  waitAsync: (promise, ending, note) => waitAsync(promise, ending).then(note('value'), note('error'))
}

const later = () => new Promise((resolve) => { setImmediate(resolve, 1) })
const PROMISES = [
  ['a promise', () => Promise.resolve(1), 'value 1'],
  ['one that is rejected', () => Promise.reject(new Error('no')), 'error Error: no'],
  ['one whose `then` returns nothing', () => ({ then (resolve) { resolve(1) } }), 'value 1'],
  ['one whose `then` tells twice', () => ({ then (resolve, reject) { resolve(1); reject(2); resolve(3) } }), 'value 1'],
  ['one whose `then` throws', () => ({ then () { throw new Error('no') } }), 'error Error: no'],
  ['one whose `then` tells, and throws', () => ({ then (resolve) { resolve(1); throw new Error('no') } }), 'value 1'],
  ['a promise with a `then` of its own',
    () => Object.assign(Promise.resolve(0), { then (resolve) { resolve(1) } }), 'value 1'],
  ['a proxy of a promise', () => new Proxy(Promise.resolve(1), {}), 'error TypeError'],
  ['a promise of a promise', () => Promise.resolve({ then (resolve) { resolve(later()) } }), 'value 1']
]

for (const [name, way] of Object.entries(ways)) {
  describe(name, () => {
    for (const [what, create, told] of PROMISES) {
      it(`tells once, and not at once, what becomes of ${what}`, async () => {
        const seen = begin(way, create())
        assert.deepEqual(seen.told, [])
        while (seen.told.length === 0) await turn()
        await turn()
        seen.end('late')
        await turn()
        const [first, ...others] = seen.told
        assert.ok(first.startsWith(told), first)
        assert.deepEqual([others, seen.forgotten], [[], 1])
      })
    }

    for (const [what, promise] of [['never settles', new Promise(() => {})], ['is settled', Promise.resolve(1)]]) {
      it(`ends with a fault, for a promise that ${what}`, async () => {
        const seen = begin(way, promise)
        seen.end('left')
        await turn()
        assert.deepEqual(seen.told, ['error left'])
      })
    }

    it('prefers what is there to a fault that came before', async () => {
      const rows = [[Promise.resolve(1), 'value 1'], [new Promise(() => {}), 'error left']]
      for (const [promise, told] of rows) {
        const seen = begin(way, promise, true)
        await turn()
        await turn()
        assert.deepEqual(seen.told, [told])
      }
    })
  })
}

describe('wait', () => {
  it('ends within the call that tells a fault', () => {
    const seen = begin(ways.wait, new Promise(() => {}))
    seen.end('left')
    assert.deepEqual([seen.told, seen.forgotten], [['error left'], 1])
  })

  it('lets what is thrown by what it tells be no rejection', async () => {
    const rejections = []
    const note = (error) => rejections.push(error)
    process.on('unhandledRejection', note)
    const thrown = nextUncaught()
    wait(Promise.resolve(1), { follow () {} }, () => { throw new Error('of next') }, note)
    assert.equal((await thrown).message, 'of next')
    await turn()
    process.removeListener('unhandledRejection', note)
    assert.deepEqual(rejections, [])
  })
})
