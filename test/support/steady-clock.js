'use strict'

const { mock } = require('node:test')

const HEAD_START = 1e6 // ms: restores the time budget of the one-shot lane
const STEP = 0.01 // ms

/**
 * In the current suite, `performance.now` advances a little with each call, so
 * that no decoding seems to take long, and small coded bodies take the one-shot
 * lane.
 */
function useSteadyClock () {
  before(() => {
    let now = performance.now() + HEAD_START
    mock.method(performance, 'now', () => (now += STEP))
  })
  after(() => performance.now.mock.restore())
}

module.exports = useSteadyClock
