'use strict'

const { Session } = require('node:inspector/promises')

const COUNT = 2 // requests

/**
 * Allocations on the heap per request: all are sampled. What optimized code
 * allocates at once counts once.
 *
 * @param {(count: number) => Promise<number>} loop warm already
 * @returns {Promise<number>}
 */
async function countAllocations (loop) {
  const session = new Session()
  session.connect()
  await session.post('HeapProfiler.startSampling', {
    samplingInterval: 1, // bytes
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true
  })
  await loop(COUNT)
  const { profile } = await session.post('HeapProfiler.stopSampling')
  session.disconnect()
  return profile.samples.length / COUNT
}

module.exports = countAllocations
