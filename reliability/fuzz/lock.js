'use strict'

/** A lock that many tasks share, or one holds alone. */
class Lock {
  #sharing = new Set() // tasks under way
  #held = Promise.resolve() // until the last task that asked for it alone has ended

  /** Runs a task beside others. */
  async shared (task) {
    for (let held; held !== this.#held;) await (held = this.#held)
    const running = task()
    this.#sharing.add(running)
    return running.finally(() => this.#sharing.delete(running))
  }

  /** Runs a task while no other runs. */
  alone (task) {
    const running = this.#held.then(() => Promise.allSettled(this.#sharing)).then(task)
    this.#held = running.catch(() => {})
    return running
  }
}

module.exports = Lock
