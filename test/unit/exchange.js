'use strict'

const assert = require('node:assert/strict')
const Exchange = require('../../lib/exchange')

describe('Exchange', () => {
  it('has all its fields from the start, always in the same order', () => {
    const decode = () => {}
    const [req, res, next, deliver, join] = [{}, {}, () => {}, () => {}, () => {}]
    const exchange = new Exchange(req, res, next, { charset: 'utf-8', decode }, 5, null, deliver, 7, join)
    assert.deepEqual(Object.entries(exchange), [
      ['req', req], ['res', res], ['next', next], ['charset', 'utf-8'], ['decode', decode], ['limit', 5], ['length', null],
      ['deliver', deliver], ['drainLimit', 7], ['join', join], ['lane', 'identity'], ['received', 0], ['chunk', null], ['chunks', null], ['crumbs', 0], ['context', null]
    ])
    assert.throws(() => Exchange(), TypeError)
  })
})
