'use strict'

const { PerformanceObserver } = require('node:perf_hooks')
const { setImmediate: turn } = require('node:timers/promises')

const SPACE = 128 // MiB of young generation, so that nothing is collected
const FLAGS = ['--expose-gc', `--min-semi-space-size=${SPACE}`, `--max-semi-space-size=${SPACE}`]
const MOST = 1000 // requests
const TARGET = 32 * 1024 * 1024 // bytes

/**
 * Bytes allocated per request, in a process started with FLAGS.
 *
 * @param {(count: number) => Promise<number>} loop warm already
 * @returns {Promise<{ heap: number, buffers: number }>} bytes per request on
 *   the heap, and outside of it in array buffers
 * @throws {Error} if the garbage collector cannot be held off
 */
async function countBytes (loop) {
  let lastCollection = 0 // ms; entries arrive late
  const observer = new PerformanceObserver((list) => { lastCollection = list.getEntries().at(-1).startTime })
  observer.observe({ entryTypes: ['gc'] })
  const probe = await allocated(loop, 4)
  let count = Math.min(Math.max(Math.floor(TARGET / (probe.heap + probe.buffers + 1)), 1), MOST)

  for (; count > 0; count = Math.floor(count / 2)) {
    global.gc()
    await turn()
    global.gc() // what finalizers have released
    await turn()
    const start = performance.now()
    const bytes = await allocated(loop, count)
    await turn()
    await turn()
    if (lastCollection < start) {
      observer.disconnect()
      return bytes
    }
  }
  throw new Error('the garbage collector ran during a single request')
}

async function allocated (loop, count) {
  const before = process.memoryUsage()
  await loop(count)
  const after = process.memoryUsage()
  return {
    heap: (after.heapUsed - before.heapUsed) / count,
    buffers: (after.arrayBuffers - before.arrayBuffers) / count
  }
}

module.exports = { countBytes, FLAGS }
