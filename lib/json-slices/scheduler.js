'use strict'

// Shares the event loop among long tasks. In each of its turns one task works
// for one time slice, however many tasks there are; everything else that waits
// for the loop runs in between.
//
// A task starts at the fast level. If others wait for a place there, one that
// has worked for longer than QUANTUM gives up its place and what it has built,
// and starts again at the slow level: a few tasks that take long, by accident
// or by intent, do not make those wait that take a moment.

// Taken when this file is loaded: code that fakes timers or clocks later, as
// tests do, would otherwise stop every task.
const { performance } = require('node:perf_hooks')
const { setImmediate } = require('node:timers')

const now = performance.now.bind(performance)

const QUANTUM = 10 // ms of work at the fast level
const SLOW_SHARE = 4 // the slow level gets one slice in this many

const MOVED = new Error('the task starts again at the slow level')

class Level {
  /** @param {number} places how many tasks may work at a time: each holds a partly built value in memory */
  constructor (places) {
    this.places = places
    this.active = 0 // places that are taken
    this.waiting = new Set() // tasks that wait for a place
    this.ready = new Set() // tasks that wait for a slice
  }
}

// Intentionally module-level: all tasks of a process share its one event loop.
// Each unfinished task is in one level; each caller of `run` has one.
const fast = new Level(4)
const slow = new Level(2)
let slices = 0
let isScheduled = false // the next slice

/**
 * Work that takes many time slices:
 *
 *     const task = new Task(0.25, signal)
 *     const value = await task.run(async () => {
 *       while (...) {
 *         await task.pause()
 *         ...
 *       }
 *     })
 */
class Task {
  /**
   * @param {number} slice milliseconds to work in one turn of the event loop
   * @param {AbortSignal} [signal] cancels the work
   */
  constructor (slice, signal) {
    this.slice = slice
    this.signal = signal
    this.level = fast
    this.used = 0 // ms of work at this level
    this.sliceEnd = 0 // on the clock of now()
    this.isInterrupted = false // once `pause` has thrown: the work must pass that on
    this.resume = null // { resolve, reject } of the promise that the task waits for
  }

  /**
   * Starts the work in a later turn of the event loop, when there is a place.
   *
   * @template T
   * @param {() => Promise<T>} work may be called again from the start, and
   *   must pass on what `pause` throws
   * @returns {Promise<T>} the result of `work`; rejected with the reason of
   *   the signal, at once while the work waits for a slice
   */
  async run (work) {
    const { signal } = this
    const cancel = () => {
      const { ready, waiting } = this.level
      if (ready.delete(this) || waiting.delete(this)) this.resume.reject(this.interrupt(signal.reason))
    }
    signal?.addEventListener('abort', cancel)
    try {
      return await this.runAtLevel(work)
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
  }

  async runAtLevel (work) {
    const { level, signal } = this
    signal?.throwIfAborted()
    if (level.active < level.places) level.active++
    else await this.wait(level.waiting) // another task hands its place over when it ends
    try {
      await this.pause()
      return await work()
    } catch (error) {
      if (error !== MOVED) throw error
    } finally {
      const [next] = level.waiting
      level.waiting.delete(next)
      if (next === undefined) level.active--
      else next.resume.resolve()
    }
    this.level = slow
    this.isInterrupted = false
    return this.runAtLevel(work)
  }

  /**
   * Once the time slice is used up, waits for the next one of this task.
   *
   * @throws the reason of the signal, or because the task starts again
   */
  async pause () {
    const { level, signal } = this
    if (now() < this.sliceEnd) return
    if (this.sliceEnd > 0) this.used += now() - (this.sliceEnd - this.slice)
    this.sliceEnd = 0
    if (signal?.aborted) throw this.interrupt(signal.reason)
    if (level === fast && fast.waiting.size > 0 && this.used > QUANTUM) throw this.interrupt(MOVED)
    const resumed = this.wait(level.ready)
    schedule()
    await resumed
  }

  wait (set) {
    set.add(this)
    return new Promise((resolve, reject) => { this.resume = { resolve, reject } })
  }

  interrupt (error) {
    this.isInterrupted = true
    return error
  }
}

function schedule () {
  if (isScheduled || fast.ready.size + slow.ready.size === 0) return
  isScheduled = true
  setImmediate(giveSlice)
}

/** The task goes on in the microtasks that follow this callback. */
function giveSlice () {
  isScheduled = false
  const task = nextTask()
  if (task === undefined) return // all have been cancelled
  task.level.ready.delete(task)
  schedule()
  task.sliceEnd = now() + task.slice
  task.resume.resolve()
}

/** At the fast level, the task that has worked least is next; at the slow level, they take turns. */
function nextTask () {
  const [first] = slow.ready
  if (first !== undefined && (fast.ready.size === 0 || ++slices % SLOW_SHARE === 0)) return first
  let least
  for (const task of fast.ready) {
    if (least === undefined || task.used < least.used) least = task
  }
  return least
}

module.exports = Task
