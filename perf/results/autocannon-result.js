'use strict'

const { mean, quantile } = require('../../tools/statistics')
const { mergeHistograms } = require('./histograms')

const PERCENTILES = [0.001, 0.01, 0.1, 1, 2.5, 10, 25, 50, 75, 90, 97.5, 99, 99.9, 99.99, 99.999]
const MS = 1e6 // ns

/**
 * All blocks of a scenario in the shape of one autocannon result. A sample of
 * `requests` and `throughput` is a block.
 *
 * @param {string} title
 * @param {object[]} blocks see block.js
 * @param {{ connections: number }} settings
 */
module.exports = function autocannonResult (title, blocks, { connections }) {
  const statusCodes = sumStatusCodes(blocks)
  const countOf = (hundreds) => Object.entries(statusCodes)
    .reduce((sum, [code, count]) => Math.floor(code / 100) === hundreds ? sum + count : sum, 0)
  const sumOf = (key) => blocks.reduce((sum, block) => sum + (block[key] ?? 0), 0)
  const total = sumOf('responses')
  return {
    title,
    connections,
    pipelining: 1,
    duration: sumOf('elapsed'),
    samples: blocks.length,
    start: blocks[0].started,
    finish: blocks.at(-1).ended,
    errors: sumOf('errors'), // without --keep-going a run with any is aborted
    timeouts: 0, // counted as errors
    mismatches: sumOf('mismatches'),
    resets: 0,
    non2xx: total - countOf(2),
    ...Object.fromEntries([1, 2, 3, 4, 5].map((hundreds) => [`${hundreds}xx`, countOf(hundreds)])),
    statusCodeStats: Object.fromEntries(Object.entries(statusCodes).map(([code, count]) => [code, { count }])),
    latency: summarizeLatency(blocks),
    requests: { ...summarize(blocks.map(({ rps }) => rps)), total, sent: total + sumOf('errors') },
    throughput: {
      ...summarize(blocks.map(({ throughput }) => throughput)),
      total: Math.round(blocks.reduce((sum, { throughput, elapsed }) => sum + throughput * elapsed, 0))
    }
  }
}

/**
 * @param {{ statusCodes: Record<string, number> }[]} counted
 * @returns {Record<string, number>} status code -> how many of all
 */
function sumStatusCodes (counted) {
  const counts = {}
  for (const { statusCodes } of counted) {
    for (const [code, count] of Object.entries(statusCodes)) counts[code] = (counts[code] ?? 0) + count
  }
  return counts
}

function summarize (values) {
  const sorted = values.toSorted((a, b) => a - b)
  const average = mean(values)
  const variance = values.reduce((sum, value) => sum + (value - average) ** 2, 0) / Math.max(1, values.length - 1)
  return statistics((portion) => quantile(sorted, portion), { mean: average, stddev: Math.sqrt(variance), min: sorted[0], max: sorted.at(-1) })
}

function summarizeLatency (blocks) {
  const merged = mergeHistograms(blocks.map(({ histogram }) => histogram))
  const { mean, stdDeviation, minNonZeroValue, maxValue, totalCount } = merged
  const inMs = { mean: mean / MS, stddev: stdDeviation / MS, min: minNonZeroValue / MS, max: maxValue / MS }
  return { ...statistics((portion) => merged.getValueAtPercentile(portion * 100) / MS, inMs), totalCount }
}

function statistics (quantileAt, { mean, stddev, min, max }) {
  const percentiles = PERCENTILES.map((percentile) => [`p${String(percentile).replace('.', '_')}`, quantileAt(percentile / 100)])
  const all = Object.entries({ average: mean, mean, stddev, min, max, ...Object.fromEntries(percentiles) })
  return Object.fromEntries(all.map(([key, value]) => [key, Math.round(value * 1000) / 1000]))
}

module.exports.sumStatusCodes = sumStatusCodes
