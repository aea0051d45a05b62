'use strict'

const assert = require('node:assert/strict')
const { mock } = require('node:test')
const { guarded } = require('../../../lib/core/lifetime/guards')

describe('the waits of a client', () => {
  it('count the time of two things once', () => {
    let now = 100
    const clock = mock.method(performance, 'now', () => now)
    const reading = new (guarded(Object))()
    for (const [time, name] of [[100, 'beginWait'], [110, 'beginWait'], [130, 'endWait']]) {
      now = time
      reading[name]()
      assert.deepEqual([reading.waitsSince, reading.waited], [100, 0])
    }
    now = 160
    reading.endWait()
    assert.deepEqual([reading.waitsSince, reading.waited], [null, 60])
    clock.mock.restore()
  })
})
