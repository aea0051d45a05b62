'use strict'

// Runs in the server: measures how long a turn of the event loop takes, and the
// resident memory. It runs in every turn, so it keeps a core busy.

const fs = require('node:fs')
const { setImmediate } = require('node:timers')

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

let schedule // file descriptor; null where there is no such file
const line = Buffer.alloc(128)

/** ms that this thread was ready to run, but another had the CPU; 0 where the kernel does not count them. */
function waitedForCpu () {
  if (schedule === undefined) schedule = openSchedule()
  if (schedule === null) return 0
  const end = fs.readSync(schedule, line, 0, line.length, 0)
  return Number(line.latin1Slice(0, end).split(' ')[1]) / 1e6
}

function openSchedule () {
  try {
    return fs.openSync('/proc/self/schedstat')
  } catch {
    return null // not Linux
  }
}

module.exports = LoopMeter
