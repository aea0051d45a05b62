'use strict'

const { printResult } = require('autocannon')
const { inspect } = require('node:util')
const textTable = require('../../tools/text-table')
const { classicSummary } = require('../results/classic-summary')
const { figure, targetText } = require('../results/format')
const { metrics } = require('../statistics/metrics')
const { comparedRows } = require('./html')

/**
 * A table per scenario, as autocannon prints it.
 *
 * @param {object} result see results/result.js
 * @returns {string}
 */
function resultText (result) {
  return result.clientResults.map((client) => {
    const title = `Target ${result.target}, ${client.title} (${targetText(result)})`
    const table = printResult(client, { outputStream: process.stdout })
      .replace(/^Req\/Bytes counts.*\n/m, '').replace('# of samples:', 'blocks:')
    const server = metrics.filter(({ key }) => !['rps', 'throughput'].includes(key) && !key.startsWith('latency'))
      .map(({ key, label, unit }) => `${label} ${figure(result.serverResults[client.title][key], unit)}`)
    return `${title}${table}${server.join(', ')}\n`
  }).join('\n')
}

/**
 * @param {object} comparison see results/comparison.js
 * @returns {string} the figures of both targets, the verdicts, and the classic summary
 */
function comparisonText (comparison) {
  const lines = comparison.scenarios.flatMap((scenario) => {
    const { head, rows } = comparedRows(scenario)
    return [scenario.name, textTable(head, rows), ...scenario.warnings.map((warning) => `  (${warning})`), `  => ${scenario.verdict.text}`, '']
  })
  if (comparison.scenarios.length > 1) lines.push(`All together: ${comparison.verdict.text}`, '')
  const { result, ...summary } = classicSummary(comparison)
  return [...lines, inspect(summary, { depth: 3, breakLength: 100 }), result].join('\n')
}

/** @param {object[]} calibration of self-test/calibration.js @returns {string} */
function calibrationText (calibration) {
  const rows = calibration.map(({ name, runs, runSpread, roundSpread, betweenRuns, smallestDifference, decision }) =>
    [name, runs, ...[runSpread, roundSpread, betweenRuns, smallestDifference].map((value) => `${value.toFixed(2)} %`), decision])
  return ['The same code as both targets: standard deviation of the ratio from run to run; of rounds within a run; of what differs',
    'between runs beyond that; and the difference that so many runs find in 9 of 10 sessions:',
    textTable(['', 'runs', 'of runs', 'of rounds', 'between runs', 'is found', 'verdict'], rows)].join('\n')
}

/** @param {object} result @returns {string[]} its warnings, by scenario */
function warningLines ({ scenarios }) {
  return scenarios.flatMap(({ name, warnings }) => warnings.map((warning) => `${name}: ${warning}`))
}

module.exports = { resultText, comparisonText, calibrationText, warningLines }
