'use strict'

// Timeouts for a busy machine: a turn of the event loop counts as a few
// milliseconds at most, however long the process had to wait for the CPU.

const TICK = 2 // ms
const MOST = 4 // ms that a turn counts

const waiting = new Set()
let timer = null
let last = 0

function tick () {
  const now = performance.now()
  const passed = Math.min(now - last, MOST)
  last = now
  for (const item of waiting) {
    item.left -= passed
    if (item.left > 0) continue
    cancel(item)
    item.callback()
  }
}

/** @returns {object} for `cancel` */
function after (ms, callback) {
  const item = { left: ms, callback }
  waiting.add(item)
  if (timer === null) {
    last = performance.now()
    timer = setInterval(tick, TICK)
  }
  return item
}

function cancel (item) {
  waiting.delete(item)
  if (waiting.size > 0) return
  clearInterval(timer)
  timer = null
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
        cancel(timer)
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
