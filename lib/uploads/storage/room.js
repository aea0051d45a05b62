'use strict'

/** What waits until a file takes more bytes. */
class Room {
  #wake = null

  /** @returns {Promise<void>} until `open` is called */
  wait () {
    return new Promise((resolve) => { this.#wake = resolve })
  }

  open () {
    this.#wake?.()
    this.#wake = null
  }
}

module.exports = Room
