'use strict'

// Runs in servers under test, on any version of Node.js, and needs no packages.

const fs = require('node:fs')
const v8 = require('node:v8')

/** What this process uses: in total, and between two readings. */
class Meter {
  requests = 0 // counted by the server

  /** @returns {{ requests: number, cpu: number, main: number, time: number }} so far: us of CPU time of all threads, ms
   *   of the main thread on a CPU, ms of time */
  usage () {
    const { user, system } = process.cpuUsage()
    const main = threadTimes()?.main ?? performance.eventLoopUtilization().active
    return { requests: this.requests, cpu: user + system, main, time: performance.now() }
  }

  /** Starts to count allocations and garbage collection. */
  watch () {
    this.from = this.requests
    this.awakeBefore = this.awake()
    this.heap = process.memoryUsage().heapUsed
    this.profiler = new v8.GCProfiler()
    this.profiler.start()
  }

  /** @returns {number} us that the main thread was on a CPU, or wanted to be; of all threads if nothing tells */
  awake () {
    const times = threadTimes()
    return times === null ? this.usage().cpu : (times.main + times.delayed) * 1000
  }

  /**
   * @returns {{ gc: number, heap: number, rss: number, requests: number, awake: number }} since `watch`: us of garbage
   *   collection and bytes of heap per request; peak RSS in bytes; us that the main thread was not asleep
   */
  figures () {
    const requests = this.requests - this.from
    const collections = this.profiler.stop().statistics
    let used = this.heap
    let allocated = 0 // growth between two collections
    for (const { beforeGC, afterGC } of collections) {
      allocated += Math.max(0, beforeGC.heapStatistics.usedHeapSize - used)
      used = afterGC.heapStatistics.usedHeapSize
    }
    allocated += Math.max(0, process.memoryUsage().heapUsed - used)
    return {
      gc: collections.reduce((sum, { cost }) => sum + cost, 0) / requests,
      heap: allocated / requests,
      rss: peakRss(),
      requests,
      awake: this.awake() - this.awakeBefore
    }
  }
}

/** @returns {string | null} what Linux tells of this process in a file of /proc */
function told (file) {
  try {
    return fs.readFileSync(`/proc/self/${file}`, 'latin1')
  } catch {
    return null // another system
  }
}

/** @returns {{ main: number, delayed: number } | null} ms that the main thread was on a CPU, and waited for one */
function threadTimes () {
  const [main, delayed] = told('schedstat')?.split(' ') ?? []
  return main === undefined ? null : { main: main / 1e6, delayed: delayed / 1e6 }
}

/** Linux passes `maxRSS` of a parent on to its children; VmHWM starts anew with each program. */
const peakRss = () => (/^VmHWM:\s+(\d+) kB$/m.exec(told('status'))?.[1] ?? process.resourceUsage().maxRSS) * 1024

module.exports = Meter
module.exports.peakRss = peakRss
