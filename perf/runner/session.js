'use strict'

const { clearOutput, writeFile, writeJson } = require('../../tools/atomic-write')
const reportPage = require('../report/page')
const createRunProgress = require('../report/progress')
const { summaryFiles, writeSummaryFiles } = require('../report/summary')
const { calibrationText, comparisonText, resultText, warningLines } = require('../report/terminal')
const { compareResults } = require('../results/comparison')
const { skippedText } = require('../results/format')
const outputPaths = require('../results/output-paths')
const calibrate = require('../self-test/calibration')
const injectCost = require('../self-test/inject-cost')
const selectTargets = require('../targets/select-targets')
const { measure, measureCpu, statisticsOf } = require('./measure')

/**
 * The usual session: install the targets, measure, write the files, print.
 *
 * @param {import('../scenarios').Scenario[]} scenarios
 * @param {object} settings of options.js
 */
module.exports = async function session (scenarios, settings) {
  const paths = settings.write ? outputPaths(settings.output) : null
  if (settings.write) clearOutput(filesOf(paths, settings))
  const results = await measureTargets(scenarios, settings)
  for (const result of results) process.stdout.write(`${resultText(result)}\n`)

  const comparison = results.length === 1 ? null : compare(results, settings)
  const remarks = comparison === null ? warningLines(results[0]) : []
  const { skipped } = results[0]
  if (skipped.length > 0) remarks.push(skippedText(skipped))
  if (settings.write) {
    writeFiles(paths, results, comparison, settings)
    remarks.push(`written: ${filesOf(paths, settings).join(' ')}`)
  }
  if (remarks.length > 0) process.stdout.write(`\n${remarks.join('\n')}\n`)
}

async function measureTargets (scenarios, settings) {
  const progress = createRunProgress(settings)
  try {
    const injectFault = async (a) => {
      const cpu = await measureCpu(a, scenarios[0], settings, progress) // us
      const cost = cpu * settings.injectFault / 100
      progress.say(`injecting ${cost.toFixed(2)} us, ${settings.injectFault} % of ${cpu.toFixed(1)} us per request, into target B`)
      return injectCost(a, scenarios[0], cost)
    }
    const targets = await selectTargets(scenarios, settings, progress.say, injectFault)
    return await measure(targets, scenarios, settings, progress)
  } finally {
    progress.stop()
  }
}

function compare (results, settings) {
  const statistics = statisticsOf(settings)
  const comparison = compareResults(...results, statistics)
  process.stdout.write(`${comparisonText(comparison)}\n`)
  if (settings.calibrate) {
    comparison.calibration = calibrate(comparison, statistics)
    process.stdout.write(`${calibrationText(comparison.calibration)}\n`)
  }
  return comparison
}

/** The main file is last: once it exists, all others do. */
function filesOf (paths, { compares, report, summary }) {
  return [
    ...(report ? [paths.report] : []),
    ...(summary === null ? [] : summaryFiles(summary)),
    ...(compares ? [paths.a, paths.b] : []),
    paths.main
  ]
}

function writeFiles (paths, results, comparison, { report, summary }) {
  if (report) writeFile(paths.report, reportPage(results, comparison))
  if (summary !== null) writeSummaryFiles(summary, results, comparison)
  if (comparison !== null) {
    writeJson(paths.a, results[0])
    writeJson(paths.b, results[1])
  }
  writeJson(paths.main, comparison ?? results[0])
}
