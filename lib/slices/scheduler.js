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
  /** @param {number} places tasks at a time: each keeps a partly built value in memory */
  constructor (places) {
    this.places = places
    this.active = new Set()
    this.waiting = new Set() // for a place
    this.ready = new Set() // active tasks that wait for a slice
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
 *         if (task.shouldYield()) await task.yield()
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
    this.isStopped = false // what `yield` throws is to be passed on
    this.work = null
    this.settle = null // of the promise of `run`
    this.resume = null // of the promise of `yield`
  }

  /**
   * Starts the work in a later turn of the event loop, when there is a place.
   *
   * @template T
   * @param {() => Promise<T>} work which may be started more than once, and
   *   lets pass what `yield` throws
   * @returns {Promise<T>} the promise of `work`; rejected with the reason of
   *   the signal: at once if the work has no slice now
   */
  run (work) {
    const { signal } = this
    const cancel = () => {
      if (this.level.waiting.delete(this)) this.settle.reject(signal.reason)
      else if (this.level.ready.delete(this)) stop(this, signal.reason)
    }
    this.work = work
    signal?.addEventListener('abort', cancel)
    return new Promise((resolve, reject) => {
      this.settle = { resolve, reject }
      if (signal?.aborted) reject(signal.reason)
      else enter(this, fast)
    }).finally(() => signal?.removeEventListener('abort', cancel))
  }

  /** Whether the time slice is used up. */
  shouldYield () {
    return now() >= this.sliceEnd
  }

  /**
   * Resolves at the beginning of the next time slice of this task.
   *
   * @throws the reason of the signal, or because the task starts again
   */
  yield () {
    if (this.sliceEnd > 0) this.used += now() - (this.sliceEnd - this.slice)
    this.sliceEnd = 0
    return new Promise((resolve, reject) => {
      this.resume = { resolve, reject }
      if (this.signal?.aborted) {
        stop(this, this.signal.reason)
      } else if (this.level === fast && fast.waiting.size > 0 && this.used > QUANTUM) {
        stop(this, MOVED)
      } else {
        this.level.ready.add(this)
        schedule()
      }
    })
  }
}

function stop (task, error) {
  task.isStopped = true
  task.resume.reject(error)
}

function enter (task, level) {
  task.level = level
  if (level.active.size < level.places) start(task)
  else level.waiting.add(task)
}

async function start (task) {
  const { level, settle } = task
  level.active.add(task)
  task.used = task.sliceEnd = 0
  task.isStopped = false
  try {
    await task.yield()
    settle.resolve(await task.work())
  } catch (error) {
    if (error === MOVED) enter(task, slow)
    else settle.reject(error)
  }
  level.active.delete(task)
  const [next] = level.waiting
  if (next !== undefined) {
    level.waiting.delete(next)
    start(next)
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

/** Of the fast level the one that has worked least, of the slow one each in its turn. */
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
