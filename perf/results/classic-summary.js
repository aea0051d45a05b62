'use strict'

// The summary of a comparison in the shape that users of perf-wg's load tests
// know.

/**
 * @param {{ averages: Record<string, number | null>, statusCodes: Record<string, number> }} figures
 * @returns {{ avgRPS: number, avgThroughput: number, avgLatency: number, status: Record<string, number> }}
 *   responses/s, bytes/s, ms, number of responses by status
 */
function classicFigures ({ averages: { rps, throughput, latency }, statusCodes }) {
  const round = (value) => Math.round(value * 100) / 100
  return { avgRPS: round(rps), avgThroughput: round(throughput), avgLatency: round(latency), status: statusCodes }
}

/**
 * @param {Record<string, number | null>} a averages
 * @param {Record<string, number | null>} b
 * @returns {{ rps: string, throughput: string, latency: string }} the change from A to B, such as `-6.44%`
 */
function classicDiff (a, b) {
  return Object.fromEntries(['rps', 'throughput', 'latency'].map((key) => [key, `${((b[key] / a[key] - 1) * 100).toFixed(2)}%`]))
}

/** @returns {'A Wins' | 'B Wins' | 'Nobody Wins'} */
function classicResult (decision) {
  return decision === 'A faster' ? 'A Wins' : decision === 'B faster' ? 'B Wins' : 'Nobody Wins'
}

/** @returns {object} what of a comparison is printed in this shape */
function classicSummary ({ diff, a, b, result }) {
  const figures = ({ avgRPS, avgThroughput, avgLatency, status }) => ({ avgRPS, avgThroughput, avgLatency, status })
  return { diff, a: figures(a), b: figures(b), result }
}

module.exports = { classicFigures, classicDiff, classicResult, classicSummary }
