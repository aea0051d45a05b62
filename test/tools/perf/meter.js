'use strict'

const assert = require('node:assert/strict')
const { setTimeout: sleep } = require('node:timers/promises')
const { describe, it } = require('mocha')
const Meter = require('../../../perf/targets/meter')

const PAUSE = 400 // ms

describe('perf/targets/meter', () => {
  it('does not count the turn of the other target as a delay of the event loop', async () => {
    const meter = new Meter()
    for (const pause of [PAUSE, 0]) {
      meter.start()
      await sleep(50)
      assert.ok(meter.stop().eventLoopDelayP99 < PAUSE * 0.75)
      await sleep(pause)
    }
  })

  it('has the CPU time per request of short windows, but for those without a request', async () => {
    const meter = new Meter()
    meter.start()
    for (let i = 0; i < 3; i++) {
      meter.seen += 4
      await sleep(60)
    }
    await sleep(PAUSE)
    const { windows, requests } = meter.stop()
    assert.equal(requests, 12)
    assert.equal(windows.reduce((sum, window) => sum + window.requests, 0), 12)
    for (const { cpu, elapsed } of windows) assert.ok(cpu > 0 && elapsed > 40e6)
  })

  it('sees what holds the event loop', async () => {
    const meter = new Meter()
    meter.start()
    await sleep(20)
    const end = Date.now() + PAUSE
    while (Date.now() < end);
    await sleep(20)
    assert.ok(meter.stop().eventLoopDelayP99 > PAUSE * 0.75)
  })

  it('counts requests, time and CPU only between start and stop', async () => {
    const meter = new Meter()
    meter.seen = 5
    meter.start()
    meter.seen += 2
    await sleep(50)
    const { requests, elapsed, heapAllocated, rssPeak } = meter.stop()
    assert.equal(requests, 2)
    assert.ok(elapsed > 45e6 && elapsed < PAUSE * 1e6, `${elapsed} ns`)
    assert.ok(heapAllocated > 0 && rssPeak > 1e6)
  })
})
