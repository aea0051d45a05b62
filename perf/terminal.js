'use strict'

const { printResult } = require('autocannon')
const align = require('./align')
const metrics = require('./metrics')
const { figure, percent, pText, sideText } = require('./words')

/**
 * A table per scenario, as autocannon prints it.
 *
 * @param {object} result see result.js
 * @returns {string}
 */
function resultText (result) {
  return result.clientResults.map((client) => {
    const { url, node } = result.serverMetadata
    const title = `Side ${result.side}, ${client.title} (${sideText(result.told, node, url)})`
    const table = printResult(client, { outputStream: process.stdout })
      .replace(/^Req\/Bytes counts.*\n/m, '').replace('# of samples:', 'blocks:')
    const server = metrics.filter(({ key }) => !['rps', 'throughput'].includes(key) && !key.startsWith('latency'))
      .map(({ key, label, unit }) => `${label} ${figure(result.serverResults[client.title][key], unit)}`)
    return `${title}${table}${server.join(', ')}\n`
  }).join('\n')
}

/**
 * @param {object} comparison see comparison.js
 * @returns {string} the figures of both sides, and the verdicts in words
 */
function comparisonText (comparison) {
  const lines = comparison.scenarios.flatMap((scenario) =>
    [scenario.name, ...rowsOf(scenario), ...scenario.caveats.map((caveat) => `  (${caveat})`), `  => ${scenario.verdict.text}`, ''])
  if (comparison.scenarios.length > 1) lines.push(`All together: ${comparison.verdict.text}`)
  return lines.join('\n')
}

function rowsOf ({ diff, a, b }) {
  const rows = metrics.filter(({ key }) => diff[key] !== null).map(({ key, label, unit }) => {
    const { ratio, interval, p } = diff[key]
    return [label, figure(a.averages[key], unit), figure(b.averages[key], unit), percent(ratio),
      `${percent(interval.low)} to ${percent(interval.high)}`, pText(p)]
  })
  return align([['', 'A', 'B', 'B / A', '95 % interval', 'p'], ...rows])
}

module.exports = { resultText, comparisonText }
