'use strict'

const assert = require('node:assert/strict')
const { mock } = require('node:test')
const { beginWait, endWait } = require('../../../lib/core/lifetime/waits')

describe('the waits of a client', () => {
  it('count the time of two things once', () => {
    let now = 100
    const clock = mock.method(performance, 'now', () => now)
    const reading = { waits: 0, waited: 0, waitsSince: null }
    for (const [time, act] of [[100, beginWait], [110, beginWait], [130, endWait]]) {
      now = time
      act(reading)
      assert.deepEqual([reading.waitsSince, reading.waited], [100, 0])
    }
    now = 160
    endWait(reading)
    assert.deepEqual([reading.waitsSince, reading.waited], [null, 60])
    clock.mock.restore()
  })
})
