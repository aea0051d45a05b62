'use strict'

const { withOwnModules } = require('./own-modules')

/** Time that passes when a test says so, for the modules that it loads: these keep the timers that they find. */
class Clock {
  now = 0 // ms; a test may set it, which fires no timer
  #timers = new Set()

  /** @param {() => T} act loads modules, and makes parsers; synchronous */
  load (act) {
    const { clearTimeout, performance, setTimeout } = globalThis
    globalThis.clearTimeout = (timer) => { this.#timers.delete(timer) }
    globalThis.performance = { now: () => this.now }
    globalThis.setTimeout = (act, delay) => {
      const timer = { act, due: this.now + delay, unref () {} }
      this.#timers.add(timer)
      return timer
    }
    try {
      return withOwnModules(act)
    } finally {
      Object.assign(globalThis, { clearTimeout, performance, setTimeout })
    }
  }

  /** ms until each timer fires */
  get waits () {
    return [...this.#timers].map(({ due }) => due - this.now)
  }

  /** Fires the timers that are due meanwhile, each at its time. */
  pass (ms) {
    const end = this.now + ms
    for (let timer = this.#first(end); timer !== undefined; timer = this.#first(end)) {
      this.#timers.delete(timer)
      this.now = timer.due
      timer.act()
    }
    this.now = end
  }

  /** A promise until so many ms have passed. */
  delay (ms) {
    return new Promise((resolve) => { this.#timers.add({ act: resolve, due: this.now + ms }) })
  }

  /** Lets a tenth of a second pass in each millisecond, until this is settled. */
  async passUntil (promise) {
    const timer = setInterval(() => this.pass(100))
    try {
      return await promise
    } finally {
      clearInterval(timer)
    }
  }

  #first (end) {
    return [...this.#timers].filter(({ due }) => due <= end).sort((one, other) => one.due - other.due)[0]
  }
}

module.exports = Clock
