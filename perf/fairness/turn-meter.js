'use strict'

// Runs in the server: how long the turns of its event loop are.

const { PerformanceObserver, monitorEventLoopDelay } = require('node:perf_hooks')
const peakRss = require('../../tools/peak-rss')

const RESOLUTION = 1 // ms between two samples of an idle event loop
const LONG = 5 // ms

/**
 * Measures this process from `start` to `stop`. A timer notes the time from one
 * turn to the next, in which reading, parsing and garbage collection all count.
 * An idle loop shows the resolution.
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

/** The histogram has no method for it, only percentiles. */
function countLonger (histogram, least) {
  const { count } = histogram
  let longer = 0
  while (longer < count && histogram.percentile(100 * (count - longer) / count) > least) longer++
  return longer
}

module.exports = TurnMeter
