'use strict'

/** Lets many work side by side, or one alone. */
class Turnstile {
  #inside = 0
  #locked = false
  #waiting = [] // who looks again when somebody leaves

  /** Does this beside others. */
  async shared (work) {
    while (this.#locked) await this.#change()
    this.#inside++
    try {
      return await work()
    } finally {
      this.#inside--
      this.#changed()
    }
  }

  /** Does this while nobody else works. */
  async alone (work) {
    while (this.#locked) await this.#change()
    this.#locked = true
    while (this.#inside > 0) await this.#change()
    try {
      return await work()
    } finally {
      this.#locked = false
      this.#changed()
    }
  }

  #change () {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  #changed () {
    const waiting = this.#waiting
    this.#waiting = []
    for (const resolve of waiting) resolve()
  }
}

module.exports = Turnstile
