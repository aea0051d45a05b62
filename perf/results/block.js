'use strict'

const { decodeHistogram } = require('./histograms')

const MS = 1e6 // ns
const US = 1e3 // ns

/**
 * The figures of a block, in the units that people read; null if unknown.
 *
 * @param {object} counts of load/tally.js
 * @param {object | null} meter of targets/meter.js; null of a server elsewhere
 */
function blockOf ({ responses, bytes, elapsed, statusCodes, mismatches, errors, backlog, latency }, meter) {
  const seconds = elapsed / 1e9
  return {
    responses,
    elapsed: seconds, // s
    rps: responses / seconds, // responses/s
    throughput: bytes / seconds, // bytes/s, of bodies that came back
    latency: latencyOf(decodeHistogram(latency)), // ms
    statusCodes,
    mismatches, // responses that were wrong
    errors, // requests without a response
    backlog, // requests that were due at the end, and not sent
    ...(meter === null ? {} : serverFigures(meter)),
    histogram: latency // of ns, HdrHistogram V2, compressed, base64
  }
}

function serverFigures ({ windows, requests, elapsed, cpuUser, cpuSystem, gcTime, heapAllocated, eventLoopDelayP99, rssPeak }) {
  return {
    cpu: (cpuUser + cpuSystem) / requests / US, // us of CPU time per request
    cpuUser: cpuUser / requests / US,
    cpuSystem: cpuSystem / requests / US,
    utilisation: (cpuUser + cpuSystem) / elapsed, // 1 is one busy core
    eventLoopDelay: eventLoopDelayP99, // ms, 99th percentile
    gc: gcTime && gcTime / requests / US, // us per request
    heap: heapAllocated && heapAllocated / requests, // bytes per request
    rss: rssPeak, // bytes
    windows: windows.map(({ cpu }) => cpu / US) // us of CPU time per request, 50 ms after 50 ms
  }
}

/** @param {import('hdr-histogram-js').Histogram} histogram of ns @returns {Record<string, number>} ms */
function latencyOf (histogram) {
  const at = (percentile) => histogram.getValueAtPercentile(percentile) / MS
  return {
    mean: histogram.mean / MS,
    p50: at(50),
    p90: at(90),
    p97_5: at(97.5),
    p99: at(99),
    p99_9: at(99.9),
    max: histogram.maxValue / MS
  }
}

module.exports = blockOf
module.exports.latencyOf = latencyOf
