'use strict'

const { PerformanceObserver } = require('node:perf_hooks')

const LONG = 5 // ms

/** Notes the time of every turn of the event loop, and all garbage collection. */
class LoopWatch {
  constructor () {
    this.turns = [] // ms at which each began
    this.collections = [] // [ms, ms] from and to
    this.observer = new PerformanceObserver((list) => this.note(list.getEntries()))
    this.running = false
    this.look = () => {
      this.turns.push(performance.now())
      if (this.running) setImmediate(this.look)
    }
  }

  start () {
    this.turns = []
    this.collections = []
    this.observer.observe({ entryTypes: ['gc'] })
    this.running = true
    this.look()
  }

  /** Resolves after the next turn, so that the one at hand counts. */
  async stop () {
    this.running = false
    await new Promise(setImmediate)
    await new Promise(setImmediate)
    this.note(this.observer.takeRecords())
    this.observer.disconnect()
  }

  note (entries) {
    for (const { startTime, duration } of entries) this.collections.push([startTime, startTime + duration])
  }

  /**
   * @returns {{ hold: number, gcInHold: number, gc: number, gcTime: number, longHolds: number, work: number }}
   *   ms of the longest turn, of garbage collection in it, of the longest one,
   *   of all; how many turns took over 5 ms; ms of the turn that was longest
   *   without its garbage collection
   */
  report () {
    const holds = this.turns.slice(1).map((end, i) => holdOf(this.turns[i], end, this.collections))
    const longest = holds.reduce((most, hold) => hold.time > most.time ? hold : most, { time: 0, gc: 0 })
    const durations = this.collections.map(([from, to]) => to - from)
    return {
      hold: longest.time,
      gcInHold: longest.gc,
      gc: durations.reduce((most, time) => Math.max(most, time), 0),
      gcTime: durations.reduce((sum, time) => sum + time, 0),
      longHolds: holds.filter(({ time }) => time > LONG).length,
      work: holds.reduce((most, { time, gc }) => Math.max(most, time - gc), 0)
    }
  }
}

function holdOf (start, end, collections) {
  let gc = 0
  for (const [from, to] of collections) gc += Math.max(0, Math.min(to, end) - Math.max(from, start))
  return { time: end - start, gc }
}

module.exports = LoopWatch
