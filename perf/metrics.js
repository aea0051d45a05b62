'use strict'

// What is compared. Each metric is one number per block.

/**
 * @typedef {object} Metric
 * @property {string} key in `diff`, `a` and `b` of a comparison
 * @property {string} label
 * @property {string} unit
 * @property {'lower' | 'higher'} better
 * @property {(block: object) => number | null | undefined} of
 */

/** @type {Metric[]} */
module.exports = [
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
