'use strict'

const assert = require('node:assert/strict')
const { tracerOf } = require('../../lib/trace')

describe('trace', () => {
  const before = process.env.DEBUG

  afterEach(() => {
    require('debug').disable()
    if (before === undefined) delete process.env.DEBUG
    else process.env.DEBUG = before
  })

  it('is off without DEBUG', () => {
    delete process.env.DEBUG
    assert.equal(tracerOf('json'), null)
  })

  it('is off when DEBUG names others', () => {
    process.env.DEBUG = 'express:*'
    assert.equal(tracerOf('json'), null)
  })

  it('is on once a program enables it', () => {
    require('debug').enable('body-parser:json')
    assert.equal(typeof tracerOf('json'), 'function')
    assert.equal(tracerOf('json').namespace, 'body-parser:json')
    assert.equal(tracerOf('raw'), null)
  })
})
