'use strict'

// Runs in the server, on the Node.js of its target.

const { createHistogram, monitorEventLoopDelay } = require('node:perf_hooks')
const v8 = require('node:v8')
const peakRss = require('../../tools/peak-rss')

const RESOLUTION = 2 // ms between two samples of the event loop

/**
 * Measures this process from each `start` to the `stop` that follows, added up.
 */
class Meter {
  constructor () {
    this.delays = createHistogram() // ns
    this.profiler = null
    this.seen = 0 // requests since the process began
    this.sums = { requests: 0, elapsed: 0, cpuUser: 0, cpuSystem: 0, gcTime: 0, heapAllocated: 0 }
  }

  start () {
    // A new one each time: one that was disabled counts the pause as a delay.
    this.delay = monitorEventLoopDelay({ resolution: RESOLUTION })
    this.delay.enable()
    if (v8.GCProfiler !== undefined) {
      this.profiler = new v8.GCProfiler()
      this.profiler.start()
    }
    this.heap = process.memoryUsage().heapUsed
    this.seenBefore = this.seen
    this.time = process.hrtime()
    this.cpu = process.cpuUsage()
  }

  stop () {
    const { user, system } = process.cpuUsage(this.cpu)
    const [seconds, nanoseconds] = process.hrtime(this.time)
    const { sums } = this
    this.delay.disable()
    sums.requests += this.seen - this.seenBefore
    sums.elapsed += seconds * 1e9 + nanoseconds
    sums.cpuUser += user * 1000
    sums.cpuSystem += system * 1000
    for (const delay of samplesOf(this.delay)) this.delays.record(delay)
    if (this.profiler === null) return
    const collections = this.profiler.stop().statistics
    for (const { cost } of collections) sums.gcTime += cost * 1000
    sums.heapAllocated += allocatedBytes(this.heap, collections, process.memoryUsage().heapUsed)
  }

  /**
   * @returns {object} requests; ns of time and of CPU, of garbage collection;
   *   bytes of heap that were allocated; ms of event-loop delay; bytes of the
   *   peak RSS. null where this Node.js does not tell
   */
  report () {
    const blind = this.profiler === null
    return {
      ...this.sums,
      gcTime: blind ? null : this.sums.gcTime,
      heapAllocated: blind ? null : this.sums.heapAllocated,
      eventLoopDelayP99: Math.max(0.001, this.delays.percentile(99) / 1e6 - RESOLUTION),
      rssPeak: peakRss()
    }
  }
}

/**
 * The single values, by rank, of a histogram that cannot be added to another.
 */
function * samplesOf (histogram) {
  const { count } = histogram
  for (let rank = 1; rank <= count; rank++) yield histogram.percentile(100 * rank / count)
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
