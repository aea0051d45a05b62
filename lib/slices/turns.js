'use strict'

// Long work shares the event loop: one slice of it in a turn, whatever the
// number of those who have some to do, and each in its turn.

const { now, setImmediate } = require('../loop')

const MOST = 4 // whose work may be half done at a time: what they have made so far takes memory

let working = 0
const outside = [] // those who wait to begin
const waiting = [] // those who wait for their next turn

/** Whose turn it is goes on in the microtasks behind this. */
function giveTurn () {
  waiting.shift()()
  if (waiting.length > 0) setImmediate(giveTurn)
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

  /**
   * Does some work when there is room for it.
   *
   * @template T
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  async run (work) {
    if (working < MOST) working++
    else await new Promise((resolve) => outside.push(resolve))
    try {
      await this.next()
      return await work()
    } finally {
      if (outside.length > 0) outside.shift()()
      else working--
    }
  }

  get isOver () {
    return now() >= this.end
  }

  /** Resolves at the beginning of the next turn that is ours. */
  async next () {
    await new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(giveTurn)
    })
    this.end = now() + this.slice
    this.check()
  }
}

module.exports = Turns
