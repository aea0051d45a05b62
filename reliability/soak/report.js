'use strict'

// What is printed.

const COUNTED = ['handles', 'listeners'] // the others are bytes

/** @param {object} sample see watch.js */
function sampleText ({ time, requests, heap, buffers, rss, handles }) {
  return `${time.toFixed(0).padStart(6)} s ${String(requests).padStart(9)} requests, ` +
    `heap ${kilobytes(heap)} KB, buffers ${kilobytes(buffers)} KB, RSS ${kilobytes(rss)} KB, ${handles} handles`
}

/**
 * @param {object} result see soak.js
 * @returns {string} slopes, faults, and whether it failed
 */
function summaryText ({ requests, warm, samples, rest, trends, faults }) {
  const lines = trends.map(({ name, slope, low, high, growth, verdict }) => {
    const [unit, of] = COUNTED.includes(name) ? ['', (value) => value.toFixed(2)] : [' KB', (value) => (value / 1024).toFixed(1)]
    return `${name.padEnd(9)} ${verdict}: ${of(slope)}${unit} a minute (95 % interval ${of(low)} to ${of(high)}), ${of(growth)}${unit} in all`
  })
  const left = Object.entries(rest).map(([name, count]) => `${count} ${name}`).join(', ')
  const list = faults.length === 0 ? '' : `\nfaults:\n${faults.map((fault) => `  ${fault}`).join('\n')}`
  return `\n${requests} requests, ${samples.length} samples, of which ${warm} to warm up\n${lines.join('\n')}\nleft without connections: ${left}${list}\n${verdictText(trends, faults)}`
}

function verdictText (trends, faults) {
  const growing = trends.filter(({ verdict }) => verdict === 'grows').map(({ name }) => name)
  const reasons = []
  if (growing.length > 0) reasons.push(`${growing.join(', ')} ${growing.length === 1 ? 'grows' : 'grow'}`)
  if (faults.length > 0) reasons.push('there are faults')
  return reasons.length === 0 ? 'no fault' : `FAILED: ${reasons.join('; ')}`
}

function kilobytes (bytes) {
  return (bytes / 1024).toFixed(0)
}

module.exports = { sampleText, summaryText }
