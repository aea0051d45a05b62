'use strict'

const { clearTimeout, performance, setImmediate, setTimeout } = require('../platform')

/**
 * A timer that decides about a client. If the event loop was busy, the timer fires late, and what the client has sent
 * meanwhile has not been read. So a late timer lets Node.js read first, and waits once more for as long as it was late.
 */
class Timer {
  /**
   * @param {number} delay ms, of at most MAX_DELAY
   * @param {() => void} callback
   */
  constructor (delay, callback) {
    this.callback = callback
    this.isCancelled = false
    const due = performance.now() + delay
    this.timer = setTimeout(() => this.fire(performance.now() - due), delay)
  }

  /** @param {number} late ms; below 0, as a timer may be early by a part of a millisecond */
  fire (late) {
    if (late <= 0) return this.callback()
    setImmediate(() => { // called behind the reading of connections
      if (!this.isCancelled) this.timer = setTimeout(this.callback, late)
    })
  }

  /** Does not keep the process alive. */
  unref () {
    this.timer.unref?.() // a faked timer may lack it
  }

  cancel () {
    this.isCancelled = true
    clearTimeout?.(this.timer) // a sandbox has no timers (../../web)
  }
}

module.exports = Timer
