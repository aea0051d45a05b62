'use strict'

// V8's profilers, in a server under test.

const { Session } = require('node:inspector/promises')

const INTERVAL = 400 // us between two samples of the stack
const EVERY = 8192 // bytes between two samples of allocations
const COLLECTED = { includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true }

/** What is posted to begin, and to end. */
const KINDS = {
  cpu: [
    [['Profiler.enable'], ['Profiler.setSamplingInterval', { interval: INTERVAL }], ['Profiler.start']],
    'Profiler.stop'
  ],
  heap: [
    [['HeapProfiler.startSampling', { samplingInterval: EVERY, ...COLLECTED }]],
    'HeapProfiler.stopSampling'
  ]
}

/**
 * @param {'cpu' | 'heap'} kind
 * @returns {Promise<() => Promise<object>>} stops it, and returns the content of a .cpuprofile or .heapprofile
 */
module.exports = async function startProfiler (kind) {
  const session = new Session()
  session.connect()
  const [begin, end] = KINDS[kind]
  for (const message of begin) await session.post(...message)
  return async () => {
    const { profile } = await session.post(end)
    session.disconnect()
    return profile
  }
}
