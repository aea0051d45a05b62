'use strict'

/** Lets one promise wait until it is woken. */
class Waiter {
  #resolve = null

  /** @returns {Promise<void>} until `wake` is called */
  wait () {
    return new Promise((resolve) => { this.#resolve = resolve })
  }

  wake () {
    this.#resolve?.()
    this.#resolve = null
  }
}

module.exports = Waiter
