'use strict'

/** Waits until something is so, but no longer than the patience lasts. */
class Progress {
  #waiting = null
  #timer
  #over = false

  /** @param {number} patience milliseconds */
  constructor (patience) {
    this.#start(patience)
  }

  #start (patience) {
    this.#timer = setTimeout(() => this.end(), patience)
  }

  /** Something happened: look again. */
  tell () {
    if (this.#waiting === null || !(this.#over || this.#waiting.condition())) return
    const { resolve } = this.#waiting
    this.#waiting = null
    resolve(!this.#over)
  }

  /**
   * @param {() => boolean} condition
   * @returns {Promise<boolean>} false if patience is at its end
   */
  until (condition) {
    if (this.#over || condition()) return Promise.resolve(!this.#over)
    return new Promise((resolve) => { this.#waiting = { condition, resolve } })
  }

  /** @param {number} patience milliseconds from now on, if that is sooner */
  hurry (patience) {
    clearTimeout(this.#timer)
    if (!this.#over) this.#start(patience)
  }

  end () {
    clearTimeout(this.#timer)
    this.#over = true
    this.tell()
  }
}

module.exports = Progress
