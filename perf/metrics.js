'use strict'

// What is compared: each metric is one number for each target in each trial. Verdicts are about CPU time per request,
// the figure with the least noise.

const DETAIL = true // shown with --verbose

const rows = [
  ['cpu', 'CPU time per request', 'us', 'lower'],
  ['rps', 'responses per second', '/s', 'higher'],
  ['throughput', 'throughput', 'B/s', 'higher', DETAIL],
  ['latency', 'latency, mean', 'ms', 'lower'],
  ['latencyP50', 'latency, p50', 'ms', 'lower', DETAIL],
  ['latencyP99', 'latency, p99', 'ms', 'lower'],
  ['gc', 'garbage collection per request', 'us', 'lower', DETAIL],
  ['heap', 'heap allocated per request', 'B', 'lower', DETAIL],
  ['rss', 'peak RSS', 'B', 'lower', DETAIL]
]

/** @type {{ key: string, label: string, unit: string, better: 'lower' | 'higher', detail?: true }[]} */
module.exports = rows.map(([key, label, unit, better, detail]) => ({ key, label, unit, better, detail }))
