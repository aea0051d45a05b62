'use strict'

// Runs in the server: measures how long a turn of the event loop takes, and the
// resident memory. It runs in every turn, so it keeps a core busy.

const { setImmediate } = require('node:timers')
const threadTime = require('./thread-time')

const RSS_INTERVAL = 2 // ms between two reads of the resident size, which take some 10 us each

/** Measures from one `lap` to the next. */
class LoopMeter {
  constructor () {
    this.waited = waitedForCpu()
    this.turned = this.looked = performance.now()
    this.idle = process.memoryUsage.rss()
    this.restart()
    setImmediate(() => this.turn())
  }

  restart () {
    this.hold = 0
    this.peak = process.memoryUsage.rss()
    this.highest = process.resourceUsage().maxRSS
  }

  turn () {
    const now = performance.now()
    const waited = waitedForCpu()
    const hold = now - this.turned - (waited - this.waited)
    if (hold > this.hold) this.hold = hold
    this.waited = waited
    this.turned = now
    if (now - this.looked > RSS_INTERVAL) {
      this.looked = now
      this.peak = Math.max(this.peak, process.memoryUsage.rss())
    }
    setImmediate(() => this.turn())
  }

  /**
   * @returns {{ hold: number, peak: number }} ms of the longest turn, without
   *   the time that other processes had the core; bytes of RSS above the idle server's
   */
  lap () {
    const { maxRSS } = process.resourceUsage() // KB; since the process began
    const peak = maxRSS > this.highest ? maxRSS * 1024 : this.peak
    const { hold } = this
    this.restart()
    return { hold, peak: Math.max(0, peak - this.idle) }
  }
}

/** ms that this thread was ready to run, but another had the CPU. */
const waitedForCpu = () => threadTime()?.waiting ?? 0

module.exports = LoopMeter
