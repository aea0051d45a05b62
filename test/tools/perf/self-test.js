'use strict'

const assert = require('node:assert/strict')
const { describe, it } = require('mocha')
const { burning } = require('../../../perf/self-test/burning')

describe('perf/self-test/burning', () => {
  it('burns once per request, in any number of parsers', () => {
    const original = Object.fromEntries(['json', 'raw', 'text', 'urlencoded']
      .map((name) => [name, () => (req, res, next) => next()]))
    let burnt = 0
    const costly = burning(original, () => { burnt++ })
    const stack = Object.values(costly).map((create) => create())
    const run = (req, at = 0) => at < stack.length && stack[at](req, {}, () => run(req, at + 1))
    for (const req of [{}, {}, {}]) run(req)
    assert.equal(burnt, 3)
  })
})
