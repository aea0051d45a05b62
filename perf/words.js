'use strict'

// Verdicts and figures in words.

/**
 * @param {object} evidence of the metric that decides: ratio, interval
 * @param {{ key: string }} metric
 * @param {object} judgement decision; p after all corrections; rounds, and the
 *   fewest with which a side can be called faster; paired
 * @returns {string} by how much, and how sure
 */
function sentence ({ ratio, interval }, metric, { decision, p, rounds, fewest, paired }) {
  const what = metric.key === 'cpu' ? 'CPU time per request' : metric.label
  const by = `B has ${change(ratio)} ${what} (95 % interval ${percent(interval.low)} to ${percent(interval.high)})`
  const sure = `${decision === 'equivalent' ? 'p of a difference beyond the threshold' : 'p'} ${pText(p)}, ${rounds} rounds`
  if (!paired) return `${decision}: ${by}, ${sure}; two runs apart, so the interval has room for drift: measure both sides in one run`
  return `${decision}: ${by}, ${sure}${rounds < fewest ? `: fewer than ${fewest} cannot make a side faster, whatever they say` : ''}`
}

/** @returns {string} such as `3.1 % less` */
function change (ratio) {
  if (Math.abs(ratio - 1) < 0.00005) return 'the same'
  return `${Math.abs((ratio - 1) * 100).toFixed(1)} % ${ratio < 1 ? 'less' : 'more'}`
}

/** @returns {string} such as `-3.1 %` */
function percent (ratio) {
  const value = (ratio - 1) * 100
  return `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(1)} %`
}

function pText (p) {
  return p < 0.0001 ? '< 0.0001' : `= ${p.toPrecision(2)}`
}

/** Of several scenarios: which verdict how often. */
function summary (scenarios) {
  const counts = new Map()
  for (const { verdict } of scenarios) counts.set(verdict.decision, (counts.get(verdict.decision) ?? 0) + 1)
  const parts = [...counts].map(([decision, count]) => `${decision} in ${count}`)
  return `${parts.join(', ')} of ${scenarios.length} scenarios`
}

/** @param {{ name: string, reason: string }[]} skipped @returns {string} one line each */
function skippedText (skipped) {
  return skipped.map(({ name, reason }) => `${name} is left out: ${reason}`).join('\n')
}

/**
 * @param {Record<string, { name: string, version: string }>} told
 * @param {string} node version
 * @param {string} [url] of a server elsewhere
 * @returns {string} what a side is
 */
function sideText (told, node, url) {
  const packages = Object.entries(told).map(([name, { name: real, version }]) => `${name} = ${real} ${version}`)
  return [...(url === undefined ? [] : [url]), ...packages, `Node.js ${node}`].join(', ')
}

/** A figure with its unit, in so many digits as make sense. */
function figure (value, unit) {
  if (value === null) return '-'
  if (unit === 'B' || unit === 'B/s') return bytes(value, unit)
  return `${value >= 1000 ? Math.round(value).toLocaleString('en-US') : value.toPrecision(3)} ${unit}`
}

function bytes (value, unit) {
  const step = value >= 1e6 ? [1e6, 'M'] : value >= 1e4 ? [1e3, 'k'] : [1, '']
  return `${(value / step[0]).toFixed(step[0] === 1 ? 0 : 1)} ${step[1]}${unit}`
}

module.exports = { sentence, summary, skippedText, sideText, change, percent, pText, figure }
