'use strict'

// Options `timeout` and `minRate`: bodies that do not arrive in time are 408
// (RFC 9110, section 15.5.9), and their connection is closed.

const { MAX_DELAY, performance } = require('../platform')
const errors = require('../errors')
const Timer = require('./timer')

const GRACE = 5000 // ms before `minRate` counts
const WAIT = 1000 // ms between two checks while the client waits for the app, or while no step can be ended

class Deadline {
  /**
   * @param {import('./guards').Reading} reading
   * @param {number} timeout ms for the whole body
   * @param {number} minRate bytes per second, on average after the grace; 0 for none
   */
  constructor (reading, timeout, minRate) {
    this.reading = reading
    this.timeout = timeout
    this.minRate = minRate
    this.drainedBytes = 0 // read off after an error
    this.begin = performance.now()
    this.timer = this.schedule(this.due)
  }

  /** @returns {number} ms after the beginning, when the time for what has been received is over */
  get due () {
    const { drainedBytes, reading: { awaitsBody, received, waited, waitsSince }, minRate, timeout } = this
    if (minRate === 0 || !awaitsBody) return timeout
    const idle = waitsSince === null ? waited : waited + performance.now() - waitsSince
    return Math.min(timeout, GRACE + idle + (received + drainedBytes) / minRate * 1000)
  }

  schedule (delay) {
    return new Timer(Math.min(Math.max(delay, 1), MAX_DELAY), () => this.check())
  }

  check () {
    const { begin, due, reading, timeout } = this
    const passed = performance.now() - begin
    const least = reading.waitsSince === null ? 0 : Math.min(WAIT, timeout - passed)
    if (passed < due) {
      this.timer = this.schedule(Math.max(due - passed, least))
    } else if (!reading.failStep(errors.requestTimeout(reading.received), true)) {
      this.timer = this.schedule(WAIT) // a later step can be ended
    }
  }

  countDrained (bytes) {
    this.drainedBytes += bytes
  }

  release () {
    this.timer.cancel()
  }
}

module.exports = Deadline
