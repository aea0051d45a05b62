'use strict'

const caveatsOf = require('./caveats')
const { describeMachine } = require('./machine')
const mergeHistograms = require('./histograms')
const metrics = require('./metrics')
const { quantile } = require('./stats')
const countStatusCodes = require('./status-codes')
const pkg = require('autocannon/package.json')

const FORMAT = 'fast-body-parser/load-result/1'
const PERCENTILES = [0.001, 0.01, 0.1, 1, 2.5, 10, 25, 50, 75, 90, 97.5, 99, 99.9, 99.99, 99.999]

/**
 * The result file of one side: what perf-wg's tools know (`serverMetadata`,
 * `clientMetadata`, `serverResults`, `clientResults`, `options`), and our own
 * blocks under `scenarios`.
 *
 * @param {object} run id, settings, scenarios, skipped, cores
 * @param {import('./sides').Side} side
 * @param {Record<string, { blocks: object[], look: object }>} measured
 * @param {Record<string, Record<string, object[]>>} loaded
 * @returns {object}
 */
function resultOf ({ id, settings, scenarios, skipped, cores }, side, measured, loaded) {
  const ours = (name) => measured[name].blocks.filter((block) => block.side === side.letter)
  const averages = Object.fromEntries(scenarios.map(({ name }) => [name, averagesOf(ours(name))]))
  const clientResults = scenarios.map(({ name }) => autocannonResult(name, ours(name), settings))
  return {
    format: FORMAT,
    run: id,
    side: side.letter,
    serverMetadata: side.url === undefined
      ? { ...describeMachine(), node: side.node.version, core: cores?.server ?? null }
      : { url: side.url, node: side.node.version },
    clientMetadata: { ...describeMachine(), node: process.version, core: cores?.driver ?? null, autocannon: pkg.version },
    options: { ...settings, overrides: side.overrides },
    commit: side.commit,
    told: side.told,
    installed: Object.fromEntries(Object.entries(side.apps).map(([app, { packages }]) => [app, packages])),
    serverResults: averages,
    clientResults,
    skipped,
    ...(clientResults.length === 1 ? topLevel(clientResults[0]) : {}),
    scenarios: scenarios.map(({ name, about, app }) => ({
      name,
      about,
      app,
      loaded: loaded[name][side.letter].filter((copy) => copy.name in side.told),
      look: measured[name].look,
      caveats: caveatsOf(side.letter, averages[name], settings),
      blocks: ours(name)
    }))
  }
}

/** No merits of a side, but they tell what limits the others. */
const LIMITS = [
  { key: 'utilisation', of: (block) => block.utilisation },
  { key: 'driverUtilisation', of: (block) => block.driverUtilisation }
]

/** Where autocannon-compare's command line looks for them. */
function topLevel ({ requests, throughput, latency, duration }) {
  return { requests, throughput, latency, duration }
}

/** @returns {Record<string, number | null>} metric -> mean over the blocks */
function averagesOf (blocks) {
  const averages = {}
  for (const { key, of } of [...metrics, ...LIMITS]) {
    const values = blocks.map(of).filter(Number.isFinite)
    averages[key] = values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
  }
  return averages
}

/**
 * All blocks of a scenario in the shape of one autocannon result. A sample of
 * `requests` and `throughput` is a block.
 */
function autocannonResult (title, blocks, { connections }) {
  const statusCodes = countStatusCodes(blocks)
  const countOf = (hundreds) => Object.entries(statusCodes)
    .reduce((sum, [code, count]) => Math.floor(code / 100) === hundreds ? sum + count : sum, 0)
  const total = blocks.reduce((sum, { responses }) => sum + responses, 0)
  return {
    title,
    connections,
    pipelining: 1,
    duration: blocks.reduce((sum, { elapsed }) => sum + elapsed, 0),
    samples: blocks.length,
    start: blocks[0].started,
    finish: blocks.at(-1).ended,
    errors: 0, // a run with any is aborted
    timeouts: 0,
    mismatches: 0,
    resets: 0,
    non2xx: total - countOf(2),
    ...Object.fromEntries([1, 2, 3, 4, 5].map((hundreds) => [`${hundreds}xx`, countOf(hundreds)])),
    statusCodeStats: Object.fromEntries(Object.entries(statusCodes).map(([code, count]) => [code, { count }])),
    latency: summarizeLatency(blocks),
    requests: { ...summarize(blocks.map(({ rps }) => rps)), total, sent: total },
    throughput: {
      ...summarize(blocks.map(({ throughput }) => throughput)),
      total: Math.round(blocks.reduce((sum, { throughput, elapsed }) => sum + throughput * elapsed, 0))
    }
  }
}

function summarize (values) {
  const sorted = values.toSorted((a, b) => a - b)
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length - 1)
  const summary = { average: round(mean), mean: round(mean), stddev: round(Math.sqrt(variance)), min: round(sorted[0]), max: round(sorted.at(-1)) }
  for (const percentile of PERCENTILES) summary[keyOf(percentile)] = round(quantile(sorted, percentile / 100))
  return summary
}

const MS = 1e6 // ns

function summarizeLatency (blocks) {
  const merged = mergeHistograms(blocks.map(({ histogram }) => histogram))
  const mean = round(merged.mean / MS)
  const summary = { average: mean, mean, stddev: round(merged.stdDeviation / MS), min: round(merged.minNonZeroValue / MS), max: round(merged.maxValue / MS) }
  for (const percentile of PERCENTILES) summary[keyOf(percentile)] = round(merged.getValueAtPercentile(percentile) / MS)
  return { ...summary, totalCount: merged.totalCount }
}

function keyOf (percentile) {
  return `p${String(percentile).replace('.', '_')}`
}

function round (number) {
  return Math.round(number * 1000) / 1000
}

module.exports = { resultOf, FORMAT }
