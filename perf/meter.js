'use strict'

// Runs in the server, on whatever Node.js a side asks for.

const { monitorEventLoopDelay } = require('node:perf_hooks')
const v8 = require('node:v8')

const RESOLUTION = 2 // ms between two looks at the event loop

/**
 * Measures this process from `start` to `stop`.
 */
class Meter {
  constructor () {
    this.delay = monitorEventLoopDelay({ resolution: RESOLUTION })
    this.profiler = v8.GCProfiler === undefined ? null : new v8.GCProfiler()
    this.requests = 0
  }

  start () {
    this.delay.enable()
    if (this.profiler !== null) this.profiler.start()
    this.heap = process.memoryUsage().heapUsed
    this.requests = 0
    this.time = process.hrtime()
    this.cpu = process.cpuUsage()
  }

  /**
   * @returns {object} ns of CPU and bytes of heap per request, the garbage
   *   collector's share of the time, ms of event-loop delay, peak RSS in bytes;
   *   null where this Node.js cannot tell
   */
  stop () {
    const cpu = process.cpuUsage(this.cpu)
    const [seconds, nanoseconds] = process.hrtime(this.time)
    const requests = this.requests
    const elapsed = seconds * 1e9 + nanoseconds
    const used = (cpu.user + cpu.system) * 1000
    this.delay.disable()
    const collected = this.profiler === null ? null : this.profiler.stop().statistics
    return {
      requests,
      elapsed, // ns
      cpu: used / requests,
      cpuUser: cpu.user * 1000 / requests,
      cpuSystem: cpu.system * 1000 / requests,
      utilisation: used / elapsed,
      eventLoopDelayP99: Math.max(0.001, this.delay.percentile(99) / 1e6 - RESOLUTION),
      gcTime: collected && sum(collected.map(({ cost }) => cost * 1e3)) / requests,
      heapAllocated: collected && allocatedBytes(this.heap, collected, process.memoryUsage().heapUsed) / requests,
      rssPeak: process.resourceUsage().maxRSS * 1024
    }
  }
}

/** What grew between two collections was allocated. */
function allocatedBytes (before, collections, after) {
  let bytes = 0
  let used = before
  for (const { beforeGC, afterGC } of collections) {
    bytes += Math.max(0, beforeGC.heapStatistics.usedHeapSize - used)
    used = afterGC.heapStatistics.usedHeapSize
  }
  return bytes + Math.max(0, after - used)
}

function sum (numbers) {
  return numbers.reduce((total, number) => total + number, 0)
}

module.exports = Meter
