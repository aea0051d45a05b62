'use strict'

const { writeFile, writeSummary } = require('../../tools/atomic-write')
const { ratiosOf, summarize } = require('../results/summary')
const { metrics } = require('../statistics/metrics')
const { forestChart } = require('./charts')

/** @returns {string[]} the files of a summary: the figures, and a chart beside them */
function summaryFiles (file) {
  return [file, file.replace(/\.json$/, '.svg')]
}

/**
 * Writes the summary of a comparison, and its chart.
 *
 * @param {string} file
 * @param {object[]} results of A and B
 * @param {object} comparison of both
 */
function writeSummaryFiles (file, results, comparison) {
  const summary = summarize(results, comparison)
  const [figures, chart] = summaryFiles(file)
  const keys = new Set([comparison.verdict.metric, 'rps'])
  writeSummary(figures, summary)
  writeFile(chart, forestChart(ratiosOf(comparison), metrics.filter(({ key }) => keys.has(key)), {
    threshold: comparison.settings.threshold,
    title: `A: ${summary.a}\nB: ${summary.b}`,
    subtext: `${summary.machine}, ${summary.date}, commit ${summary.commit}`
  }))
}

module.exports = { summaryFiles, writeSummaryFiles }
