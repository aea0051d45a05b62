'use strict'

const { calibrate, calibrationText } = require('./calibration')
const { compareResults } = require('./comparison')
const { outputPaths, writeJson, writeWhole } = require('./files')
const { prepareSides } = require('./choice')
const { createProgress } = require('./progress')
const { run, statisticsOf } = require('./run')
const { comparisonText, resultText } = require('./terminal')

/**
 * The usual session: install the sides, measure, write the files, print.
 *
 * @param {import('./scenario').Scenario[]} scenarios
 * @param {object} settings of arguments.js
 */
module.exports = async function session (scenarios, settings) {
  const paths = outputPaths(settings.output)
  const progress = createProgress(settings, scenarios.length)
  const sides = await prepareSides(scenarios, settings, progress)
  const results = await run(sides, scenarios, settings, progress)
  progress.stop()
  for (const result of results) process.stdout.write(`${resultText(result)}\n`)

  if (results.length === 1) {
    writeJson(paths.main, results[0])
  } else {
    const statistics = statisticsOf(settings, scenarios.length)
    const comparison = compareResults(...results, statistics)
    if (settings.calibrate) comparison.calibration = calibrate(results, statistics)
    writeJson(paths.a, results[0])
    writeJson(paths.b, results[1])
    writeJson(paths.main, comparison)
    process.stdout.write(`${comparisonText(comparison)}\n`)
    if (settings.calibrate) process.stdout.write(`${calibrationText(comparison.calibration)}\n`)
    if (settings.report) writeWhole(paths.report, require('./report')(comparison, results))
  }
  const written = results.length === 1 ? [paths.main] : [paths.main, paths.a, paths.b, ...(settings.report ? [paths.report] : [])]
  process.stdout.write(`\nwritten: ${written.join(' ')}\n`)
}
