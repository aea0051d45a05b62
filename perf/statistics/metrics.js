'use strict'

// What is compared. Each metric is one number per block.

/**
 * @typedef {object} Metric
 * @property {string} key
 * @property {string} label
 * @property {string} unit
 * @property {'lower' | 'higher'} better
 * @property {(block: object) => number | null | undefined} of
 */

/** @type {Metric[]} */
const metrics = [
  { key: 'cpu', label: 'CPU per request', unit: 'us', better: 'lower', of: (block) => block.cpu },
  { key: 'rps', label: 'responses per second', unit: '/s', better: 'higher', of: (block) => block.rps },
  { key: 'throughput', label: 'throughput', unit: 'B/s', better: 'higher', of: (block) => block.throughput },
  { key: 'latency', label: 'latency, mean', unit: 'ms', better: 'lower', of: (block) => block.latency.mean },
  { key: 'latencyP50', label: 'latency, p50', unit: 'ms', better: 'lower', of: (block) => block.latency.p50 },
  { key: 'latencyP99', label: 'latency, p99', unit: 'ms', better: 'lower', of: (block) => block.latency.p99 },
  { key: 'eventLoopDelay', label: 'event-loop delay, p99', unit: 'ms', better: 'lower', of: (block) => block.eventLoopDelay },
  { key: 'gc', label: 'garbage collection per request', unit: 'us', better: 'lower', of: (block) => block.gc },
  { key: 'heap', label: 'heap allocated per request', unit: 'B', better: 'lower', of: (block) => block.heap },
  { key: 'rss', label: 'peak RSS', unit: 'B', better: 'lower', of: (block) => block.rss }
]

/**
 * The metric that verdicts are about: CPU time per request, which has the least
 * noise. A server elsewhere does not tell it; then it is responses per second,
 * or latency if the rate is set.
 *
 * @param {object[]} blocks
 * @param {number | null} rate requests/s that were asked for
 * @returns {Metric}
 */
function primaryMetric (blocks, rate) {
  const known = blocks.every(({ cpu }) => cpu > 0)
  const key = known ? 'cpu' : rate === null ? 'rps' : 'latencyP50'
  return metrics.find((metric) => metric.key === key)
}

/** The ratio B / A of two blocks as a logarithm, as of a metric that is better when lower. */
function logRatio (a, b, { of, better }) {
  return better === 'lower' ? Math.log(of(b) / of(a)) : Math.log(of(a) / of(b))
}

module.exports = { metrics, primaryMetric, logRatio }
