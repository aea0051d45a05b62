'use strict'

// Shares the event loop among long tasks. In each of its turns one task works
// for one time slice, however many tasks there are; everything else that waits
// for the loop runs in between.

// Taken when this file is loaded: code that fakes timers or clocks later, as
// tests do, would otherwise stop every task.
const { setImmediate } = require('node:timers')

const { hrtime } = process

const MAX_ACTIVE = 4 // tasks: each of them keeps a partly built value in memory

// Intentionally module-level: all tasks of a process share its one event loop.
// Each unfinished task has at most one entry in one of the two queues.
const waitingToStart = [] // functions that resolve the promise of `run`
const waitingForSlice = [] // functions that resolve the promise of `yield`
let active = 0 // tasks; at most MAX_ACTIVE

/** The task goes on in the microtasks that follow this callback. */
function giveSlice () {
  waitingForSlice.shift()()
  if (waitingForSlice.length > 0) setImmediate(giveSlice)
}

/** @returns {number} milliseconds on a clock that only goes forward */
function now () {
  const [seconds, nanoseconds] = hrtime()
  return seconds * 1e3 + nanoseconds / 1e6
}

/**
 * Work that takes many time slices:
 *
 *     const task = new Task(0.25, () => signal.throwIfAborted())
 *     const value = await task.run(async () => {
 *       while (...) {
 *         if (task.shouldYield()) await task.yield()
 *         ...
 *       }
 *     })
 */
class Task {
  /**
   * @param {number} slice milliseconds to work in one turn of the event loop
   * @param {() => void} throwIfCancelled throws if the result is not needed
   *   any more; called at the beginning of each slice
   */
  constructor (slice, throwIfCancelled) {
    this.slice = slice
    this.throwIfCancelled = throwIfCancelled
    this.sliceEnd = 0
  }

  /**
   * Starts the work in a later turn of the event loop, when fewer than
   * MAX_ACTIVE tasks are active.
   *
   * @template T
   * @param {() => Promise<T>} work
   * @returns {Promise<T>} the promise of `work`; rejected with what
   *   `throwIfCancelled` throws
   */
  async run (work) {
    if (active < MAX_ACTIVE) active++
    else await new Promise((resolve) => waitingToStart.push(resolve))
    try {
      await this.yield()
      return await work()
    } finally {
      if (waitingToStart.length > 0) waitingToStart.shift()() // its place goes to that task
      else active--
    }
  }

  /** Whether the time slice is used up. */
  shouldYield () {
    return now() >= this.sliceEnd
  }

  /**
   * Resolves at the beginning of the next time slice of this task.
   *
   * @throws what `throwIfCancelled` throws
   */
  async yield () {
    await new Promise((resolve) => {
      if (waitingForSlice.push(resolve) === 1) setImmediate(giveSlice)
    })
    this.sliceEnd = now() + this.slice
    this.throwIfCancelled()
  }
}

module.exports = Task
