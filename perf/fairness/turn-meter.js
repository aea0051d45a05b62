'use strict'

// Runs in the server: how long the turns of its event loop are.

const { PerformanceObserver, monitorEventLoopDelay } = require('node:perf_hooks')
const { peakRss } = require('../meter')

const RESOLUTION = 1 // ms between two looks at an event loop that has nothing to do
const LONG = 5 // ms

/**
 * Measures this process from `start` to `stop`. What is in a turn counts, be it
 * reading, parsing or collecting garbage: a timer notes the time from one turn
 * to the next. Where the loop is idle between them, that is the resolution.
 */
class TurnMeter {
  constructor () {
    this.collections = [] // ms
    this.observer = new PerformanceObserver((list) => this.note(list.getEntries()))
    this.turns = null
  }

  start () {
    this.observer.observe({ entryTypes: ['gc'] })
    this.turns = monitorEventLoopDelay({ resolution: RESOLUTION })
    this.turns.enable()
    this.began = process.hrtime.bigint()
    this.cpu = process.cpuUsage()
  }

  stop () {
    const { user, system } = process.cpuUsage(this.cpu)
    this.elapsed = Number(process.hrtime.bigint() - this.began)
    this.turns.disable()
    this.note(this.observer.takeRecords())
    this.observer.disconnect()
    this.used = (user + system) * 1000
  }

  note (entries) {
    for (const { duration } of entries) this.collections.push(duration)
  }

  /**
   * @returns {object} ns of time and of CPU, all threads; ms of the longest
   *   turn and of those of high rank, and how many took longer than 5 ms; ms of
   *   the longest garbage collection and of all; bytes of RSS at its peak
   */
  report () {
    const { turns, collections } = this
    return {
      elapsed: this.elapsed,
      cpu: this.used,
      hold: turns.max / 1e6,
      holdP99: turns.percentile(99) / 1e6,
      holdP999: turns.percentile(99.9) / 1e6,
      longHolds: countLonger(turns, LONG * 1e6),
      gc: collections.reduce((most, duration) => Math.max(most, duration), 0),
      gcTime: collections.reduce((sum, duration) => sum + duration, 0),
      rssPeak: peakRss()
    }
  }
}

/** Of a histogram that tells nothing but its percentiles. */
function countLonger (histogram, least) {
  const { count } = histogram
  let longer = 0
  while (longer < count && histogram.percentile(100 * (count - longer) / count) > least) longer++
  return longer
}

module.exports = TurnMeter
