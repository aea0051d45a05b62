'use strict'

// Timeouts for a busy machine: a turn of the event loop counts as few milliseconds, however long the process had to
// wait for the CPU.

const TICK = 2 // ms

/** @returns {NodeJS.Timeout} for `clearInterval` */
function after (ms, callback) {
  let left = ms
  const timer = setInterval(() => {
    left -= TICK
    if (left > 0) return
    clearInterval(timer)
    callback()
  }, TICK)
  return timer
}

const delay = (ms) => new Promise((resolve) => after(ms, resolve))

/** Waits for conditions that events change. */
class Conditions {
  #checks = new Set()

  /** Checks the conditions again, after an event. */
  check () {
    for (const check of this.#checks) check()
  }

  /**
   * @param {() => boolean} condition
   * @param {number} ms
   * @returns {Promise<boolean>} false if it was not true within that time
   */
  until (condition, ms) {
    if (condition()) return Promise.resolve(true)
    return new Promise((resolve) => {
      const end = (isTrue) => {
        clearInterval(timer)
        this.#checks.delete(check)
        resolve(isTrue)
      }
      const check = () => condition() && end(true)
      const timer = after(ms, () => end(false))
      this.#checks.add(check)
    })
  }
}

module.exports = { Conditions, delay }
