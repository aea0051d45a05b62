'use strict'

// Verdicts and figures as text.

/**
 * @param {object} evidence of the metric that decides: ratio, interval; range of
 *   the runs, null of two sessions
 * @param {{ key: string, label: string }} metric
 * @param {object} judgement decision; p after all corrections; number of runs
 * @returns {string} the decision, by how much, and how sure it is
 */
function verdictText ({ ratio, interval, range }, metric, { decision, p, runs }) {
  const what = metric.key === 'cpu' ? 'CPU time per request' : metric.label
  const by = `B has ${change(ratio)} ${what} (95 % interval ${percent(interval.low)} to ${percent(interval.high)})`
  const sure = `${decision === 'equivalent' ? 'p of a difference beyond the threshold' : 'p'} ${pText(p)}`
  if (range === null) return `${decision}: ${by}, ${sure}; two separate sessions, so the interval allows for drift: measure both targets in one`
  return `${decision}: ${by}, ${runs} runs from ${percent(range.low)} to ${percent(range.high)}, ${sure}`
}

/** @returns {string} such as `3.1 % less` */
function change (ratio) {
  if (Math.abs(ratio - 1) < 0.00005) return 'the same'
  return `${Math.abs((ratio - 1) * 100).toFixed(1)} % ${ratio < 1 ? 'less' : 'more'}`
}

/** @returns {string} such as `-3.1 %` */
function percent (ratio) {
  if (ratio > 100) return 'x 100 or more'
  const value = (ratio - 1) * 100
  return `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(1)} %`
}

function pText (p) {
  return p < 0.0001 ? '< 0.0001' : `= ${p.toPrecision(2)}`
}

/** How often each decision occurs in several scenarios. */
function decisionCounts (scenarios) {
  const counts = new Map()
  for (const { verdict } of scenarios) counts.set(verdict.decision, (counts.get(verdict.decision) ?? 0) + 1)
  const parts = [...counts].map(([decision, count]) => `${decision} in ${count}`)
  return `${parts.join(', ')} of ${scenarios.length} scenarios`
}

/** @param {{ name: string, reason: string }[]} skipped @returns {string} one line each */
function skippedText (skipped) {
  return skipped.map(({ name, reason }) => `${name} is left out: ${reason}`).join('\n')
}

/** @returns {string} the packages and the Node.js of a result's target */
function targetText ({ resolved, serverMetadata: { url, node } }) {
  const packages = Object.entries(resolved).map(([name, { name: real, version }]) => `${name} = ${real} ${version}`)
  return [...(url === undefined ? [] : [url]), ...packages, `Node.js ${node}`].join(', ')
}

/** A figure with its unit, in as many digits as make sense. */
function figure (value, unit) {
  if (value === null) return '-'
  if (unit === 'B' || unit === 'B/s') return bytes(value, unit)
  return `${value >= 1000 ? Math.round(value).toLocaleString('en-US') : value.toPrecision(3)} ${unit}`
}

function bytes (value, unit) {
  const [divisor, prefix] = value >= 1e6 ? [1e6, 'M'] : value >= 1e4 ? [1e3, 'k'] : [1, '']
  return `${(value / divisor).toFixed(divisor === 1 ? 0 : 1)} ${prefix}${unit}`
}

module.exports = { verdictText, decisionCounts, skippedText, targetText, percent, pText, figure }
