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

/** @param {object[]} calibration of self-test/calibration.js @returns {string} one line per scenario */
function calibrationText (calibration) {
  return ['Noise of this machine, the same code as both targets:', ...calibration.map((entry) => {
    const smallest = entry.smallestDifference === null
      ? `no difference up to ${entry.largestTried} % is found`
      : `a difference of ${entry.smallestDifference} % is found`
    return `  ${entry.name}: pairs differ by ${entry.noise.toFixed(1)} %; in ${entry.roundsInTime} rounds ` +
      `(${Math.round(entry.roundsInTime * entry.secondsPerRound)} s) ${smallest} in 9 of 10 sessions, ` +
      `and ${(entry.falseVerdicts * 100).toFixed(1)} % of sessions without one end in a false verdict`
  })].join('\n')
}

/** @param {object} result @returns {string[]} its warnings, by scenario */
function warningLines ({ scenarios }) {
  return scenarios.flatMap(({ name, warnings }) => warnings.map((warning) => `${name}: ${warning}`))
}

module.exports = { resultText, comparisonText, calibrationText, warningLines }
