'use strict'

const assert = require('node:assert/strict')
const { EventEmitter } = require('node:events')
const Clock = require('../../support/clock')

describe('closeConnection', () => {
  it('lets the client read the response for two seconds, then destroys the connection', () => {
    const clock = new Clock()
    const { closeConnection } = clock.load(() => require('../../../lib/core/request/drain'))
    const calls = []
    const socket = Object.assign(new EventEmitter(), {
      readable: true,
      pause () {},
      end: () => calls.push('end'),
      destroySoon () {},
      destroy: () => calls.push('destroy')
    })
    const res = Object.assign(new EventEmitter(), { writableFinished: true })
    closeConnection({ req: { complete: false, pause () {}, socket }, res })
    assert.deepEqual(calls, ['end']) // as the response is sent
    clock.pass(1999)
    assert.deepEqual(calls, ['end'])
    clock.pass(1)
    assert.deepEqual(calls, ['end', 'destroy'])
  })
})
