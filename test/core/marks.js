'use strict'

const assert = require('node:assert/strict')
const marks = require('../../lib/core/marks')
const loadAgain = require('../support/load-again')
const loadCopy = require('../support/load-copy')

const KEY = Symbol.for('fast-body-parser.marks.1')

/** What a copy has where the global `process` is this value. */
function loadWith (value) {
  const { process } = globalThis
  globalThis.process = value
  try {
    return loadAgain(require.resolve('../../lib/core/marks'))
  } finally {
    globalThis.process = process
  }
}

describe('marks', () => {
  it('are those of all copies, of any version', () => {
    for (const copy of [loadCopy(), loadCopy('2.5.100')]) assert.equal(copy('lib/core/marks'), marks)
  })

  it('are not seen where other code looks at the properties of the process, or of the global object', () => {
    assert.equal(Reflect.ownKeys(globalThis).includes(KEY), false)
    assert.equal(Object.getOwnPropertyDescriptor(process, KEY).enumerable, false)
  })

  it('are of the global object where there is no process, as in browsers', () => {
    const own = loadWith(undefined)
    try {
      assert.notEqual(own, marks)
      assert.equal(loadWith(undefined), own)
    } finally {
      delete globalThis[KEY]
    }
  })

  it('are of one copy alone where the process is frozen', () => {
    const own = loadWith(Object.freeze({}))
    assert.notEqual(own, marks)
    assert.deepEqual(Object.keys(own), Object.keys(marks))
  })

  it('have the tables that another version does not know, and keep its own', () => {
    const claims = new WeakMap()
    const shared = { claims, later: 1 }
    assert.equal(loadWith({ [KEY]: shared }), shared)
    assert.equal(shared.claims, claims)
    assert.deepEqual(new Set(Object.keys(shared)), new Set([...Object.keys(marks), 'later']))
  })
})
