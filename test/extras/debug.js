'use strict'

const assert = require('node:assert/strict')
const { observe } = require('../../lib/extras/debug')

const DESCRIPTOR = { name: 'json', describe: () => null }

describe('debug', () => {
  const before = process.env.DEBUG
  const steps = { match () {}, verify: undefined, parse () {} }

  afterEach(() => {
    require('debug').disable()
    if (before === undefined) delete process.env.DEBUG
    else process.env.DEBUG = before
  })

  it('returns the steps themselves while the namespace of the parser is not enabled', () => {
    require('debug').enable('body-parser:raw')
    assert.equal(observe(steps, DESCRIPTOR, true), steps)
  })

  it('returns steps that log once a program enables the namespace', () => {
    require('debug').enable('body-parser:json')
    const { match, verify, parse } = observe(steps, DESCRIPTOR, true)
    assert.notEqual(match, steps.match)
    assert.notEqual(parse, steps.parse)
    assert.equal(verify, undefined)
  })
})
