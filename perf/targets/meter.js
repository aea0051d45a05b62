'use strict'

// Runs in the server, on the Node.js of its target.

const { monitorEventLoopDelay } = require('node:perf_hooks')
const v8 = require('node:v8')
const peakRss = require('../../tools/peak-rss')
const defaults = require('../defaults')

const RESOLUTION = 10 // ms between two samples of the event loop; each wakes the server up

/**
 * Measures this process from `start` to `stop`, and its CPU time per request in
 * short windows in between.
 */
class Meter {
  constructor () {
    this.profiler = null
    this.seen = 0 // requests since the process began
  }

  start () {
    this.delay = monitorEventLoopDelay({ resolution: RESOLUTION })
    this.delay.enable()
    if (v8.GCProfiler !== undefined) {
      this.profiler = new v8.GCProfiler()
      this.profiler.start()
    }
    this.heap = process.memoryUsage().heapUsed
    this.windows = []
    this.timer = setInterval(() => this.closeWindow(), defaults.window * 1000)
    this.began = this.opened = this.now()
  }

  now () {
    return { requests: this.seen, cpu: process.cpuUsage(), time: process.hrtime.bigint() }
  }

  closeWindow () {
    const now = this.now()
    const { requests, elapsed, cpuUser, cpuSystem } = between(this.opened, now)
    if (requests === 0) return
    this.windows.push({ requests, elapsed, cpu: (cpuUser + cpuSystem) / requests })
    this.opened = now
  }

  /**
   * @returns {object} requests; ns of time and of CPU, of garbage collection;
   *   bytes of heap that were allocated; ms of event-loop delay; bytes of the
   *   peak RSS; null where this Node.js does not tell. `windows`: requests,
   *   ns, and ns of CPU time per request, of each
   */
  stop () {
    const sums = between(this.began, this.now())
    clearInterval(this.timer)
    this.delay.disable()
    const collections = this.profiler?.stop().statistics
    return {
      ...sums,
      gcTime: collections === undefined ? null : collections.reduce((sum, { cost }) => sum + cost * 1000, 0),
      heapAllocated: collections === undefined ? null : allocatedBytes(this.heap, collections, process.memoryUsage().heapUsed),
      eventLoopDelayP99: Math.max(0.001, this.delay.percentile(99) / 1e6 - RESOLUTION),
      rssPeak: peakRss(),
      windows: this.windows
    }
  }
}

/** What was used between two moments. */
function between (began, now) {
  return {
    requests: now.requests - began.requests,
    elapsed: Number(now.time - began.time),
    cpuUser: (now.cpu.user - began.cpu.user) * 1000,
    cpuSystem: (now.cpu.system - began.cpu.system) * 1000
  }
}

/** Growth between two collections is what was allocated. */
function allocatedBytes (before, collections, after) {
  let bytes = 0
  let used = before
  for (const { beforeGC, afterGC } of collections) {
    bytes += Math.max(0, beforeGC.heapStatistics.usedHeapSize - used)
    used = afterGC.heapStatistics.usedHeapSize
  }
  return bytes + Math.max(0, after - used)
}

module.exports = Meter
