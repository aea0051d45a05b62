'use strict'

// V8's profilers, in a server under test.

const { Session } = require('node:inspector/promises')

const INTERVAL = 400 // us between two samples of the stack
const EVERY = 8192 // bytes between two samples of allocations
const COLLECTED = { includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true }

const KINDS = {
  async cpu (session) {
    await session.post('Profiler.enable')
    await session.post('Profiler.setSamplingInterval', { interval: INTERVAL })
    await session.post('Profiler.start')
    return 'Profiler.stop'
  },
  async heap (session) {
    await session.post('HeapProfiler.startSampling', { samplingInterval: EVERY, ...COLLECTED })
    return 'HeapProfiler.stopSampling'
  }
}

/**
 * @param {'cpu' | 'heap'} kind
 * @returns {Promise<() => Promise<object>>} stops it, and returns the content of a .cpuprofile or .heapprofile
 */
module.exports = async function startProfiler (kind) {
  const session = new Session()
  session.connect()
  const end = await KINDS[kind](session)
  return async () => {
    const { profile } = await session.post(end)
    session.disconnect()
    return profile
  }
}
