'use strict'

// What is compared: each metric is one number for each target in each trial. Verdicts are about CPU time per request,
// the figure with the least noise.

/** @type {{ key: string, label: string, unit: string, better: 'lower' | 'higher', detail?: boolean }[]} `detail`: shown with --verbose */
module.exports = [
  { key: 'cpu', label: 'CPU time per request', unit: 'us', better: 'lower' },
  { key: 'rps', label: 'responses per second', unit: '/s', better: 'higher' },
  { key: 'throughput', label: 'throughput', unit: 'B/s', better: 'higher', detail: true },
  { key: 'latency', label: 'latency, mean', unit: 'ms', better: 'lower' },
  { key: 'latencyP50', label: 'latency, p50', unit: 'ms', better: 'lower', detail: true },
  { key: 'latencyP99', label: 'latency, p99', unit: 'ms', better: 'lower' },
  { key: 'gc', label: 'garbage collection per request', unit: 'us', better: 'lower', detail: true },
  { key: 'heap', label: 'heap allocated per request', unit: 'B', better: 'lower', detail: true },
  { key: 'rss', label: 'peak RSS', unit: 'B', better: 'lower', detail: true }
]
