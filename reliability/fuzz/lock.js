'use strict'

/** A lock that many tasks share, or one holds alone. */
class Lock {
  #sharing = 0
  #isHeld = false
  #waiting = [] // tasks that check again when another ends

  /** Runs a task beside others. */
  async shared (task) {
    while (this.#isHeld) await this.#change()
    this.#sharing++
    try {
      return await task()
    } finally {
      this.#sharing--
      this.#changed()
    }
  }

  /** Runs a task while no other runs. */
  async alone (task) {
    while (this.#isHeld) await this.#change()
    this.#isHeld = true
    while (this.#sharing > 0) await this.#change()
    try {
      return await task()
    } finally {
      this.#isHeld = false
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

module.exports = Lock
