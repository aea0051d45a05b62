'use strict'

const metrics = require('./metrics')

/**
 * The metric that verdicts are about: CPU time per request, which is the least
 * noisy. A server elsewhere keeps that to itself; then it is responses per
 * second, or latency where these are set.
 *
 * @param {object[]} blocks
 * @param {number | null} rate requests/s that were asked for
 * @returns {import('./metrics').Metric}
 */
function primaryMetric (blocks, rate) {
  const known = blocks.every(({ cpu }) => cpu > 0)
  const key = known ? 'cpu' : rate === null ? 'rps' : 'latencyP50'
  return metrics.find((metric) => metric.key === key)
}

/** The ratio B / A of two blocks as a logarithm, of something that is better when lower. */
function logRatio (a, b, { of, better }) {
  return better === 'lower' ? Math.log(of(b) / of(a)) : Math.log(of(a) / of(b))
}

module.exports = { primaryMetric, logRatio }
