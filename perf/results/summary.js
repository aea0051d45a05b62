'use strict'

const { commitText } = require('../../tools/machine')
const { metrics } = require('../statistics/metrics')
const { targetText } = require('./format')

const FORMAT = 'fast-body-parser/load-summary/2'
const SHOWN = ['cpu', 'rps', 'latency', 'latencyP99'] // of the metrics

/**
 * A comparison on one screen: a line per scenario.
 *
 * @param {object[]} results of A and B
 * @param {object} comparison of both
 */
function summarize ([a, b], comparison) {
  const { cpu, cores } = a.serverMetadata
  const { runs, rounds, duration, lead, warmup } = a.options
  return {
    format: FORMAT,
    date: a.scenarios[0].blocks[0].started.slice(0, 10),
    commit: commitText(a.commit),
    machine: cpu === undefined ? 'elsewhere' : `${cpu}, ${cores} cores`,
    load: { runs, rounds, duration, lead, warmup },
    settings: { ...comparison.settings, paired: comparison.paired },
    a: targetText(a),
    b: targetText(b),
    verdict: comparison.verdict.text,
    diff: comparison.diff,
    result: comparison.result,
    columns: 'B / A with the limits of its 95 % interval',
    scenarios: Object.fromEntries(comparison.scenarios.map(({ name, load, runs, verdict, ratios }) => [name, {
      verdict: verdict.decision,
      rate: load.rate,
      runs: runs?.map(({ ratio }) => ratio) ?? null,
      ...Object.fromEntries(SHOWN.map((key) => [key, ratios[key] && [ratios[key].ratio, ratios[key].interval.low, ratios[key].interval.high]]))
    }])),
    skipped: comparison.skipped
  }
}

/** @returns {{ name: string, ratios: object }[]} the ratios of a comparison, for a chart */
function ratiosOf ({ scenarios }) {
  return scenarios.map(({ name, ratios }) => ({
    name,
    ratios: Object.fromEntries(metrics.map(({ key }) => [key, ratios[key] && { ratio: ratios[key].ratio, ...ratios[key].interval }]))
  }))
}

module.exports = { summarize, ratiosOf }
