'use strict'

const { PerformanceObserver } = require('node:perf_hooks')

const LONG = 5 // ms

/** Records the time of every turn of the event loop, and all garbage collection. */
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
    const holds = holdsOf(this.turns, this.collections)
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

/** There may be a million turns and thousands of collections: one pass over both. */
function holdsOf (turns, collections) {
  const rising = collections.toSorted((a, b) => a[0] - b[0])
  let first = 0 // that does not end before the turn
  return turns.slice(1).map((end, i) => {
    const start = turns[i]
    while (first < rising.length && rising[first][1] <= start) first++
    let gc = 0
    for (let at = first; at < rising.length && rising[at][0] < end; at++) {
      gc += Math.max(0, Math.min(rising[at][1], end) - Math.max(rising[at][0], start))
    }
    return { time: end - start, gc }
  })
}

module.exports = LoopWatch
