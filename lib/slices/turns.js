'use strict'

// Long work shares the event loop: one slice of it per turn, whatever the
// number of those who have some to do, and each in its turn.

const { setImmediate } = require('node:timers')

const waiting = []

/** Who leads the queue goes on in the microtasks behind this. */
function pass () {
  waiting.shift()()
  if (waiting.length > 0) setImmediate(pass)
}

class Turns {
  /**
   * @param {number} slice ms to work in a turn
   * @param {() => void} check throws if the work is of no use any more
   */
  constructor (slice, check) {
    this.slice = slice
    this.check = check
    this.end = 0
  }

  get isOver () {
    return performance.now() >= this.end
  }

  /** Resolves at the beginning of the next turn that is ours. */
  async next () {
    await new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(pass)
    })
    this.end = performance.now() + this.slice
    this.check()
  }
}

module.exports = Turns
