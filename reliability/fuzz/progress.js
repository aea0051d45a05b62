'use strict'

/** Waits for conditions, but no longer than a timeout for all of them. */
class Progress {
  #waiting = null
  #timer
  #over = false

  /** @param {number} timeout ms */
  constructor (timeout) {
    this.#start(timeout)
  }

  #start (timeout) {
    this.#timer = setTimeout(() => this.end(), timeout)
  }

  /** Checks the condition again, after an event. */
  check () {
    if (this.#waiting === null || !(this.#over || this.#waiting.condition())) return
    const { resolve } = this.#waiting
    this.#waiting = null
    resolve(!this.#over)
  }

  /**
   * @param {() => boolean} condition
   * @returns {Promise<boolean>} false after the timeout
   */
  until (condition) {
    if (this.#over || condition()) return Promise.resolve(!this.#over)
    return new Promise((resolve) => { this.#waiting = { condition, resolve } })
  }

  /** @param {number} timeout ms from now on */
  restart (timeout) {
    clearTimeout(this.#timer)
    if (!this.#over) this.#start(timeout)
  }

  end () {
    clearTimeout(this.#timer)
    this.#over = true
    this.check()
  }
}

module.exports = Progress
