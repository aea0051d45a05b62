'use strict'

const { calibrate, calibrationText } = require('./calibration')
const { compareResults } = require('./comparison')
const { makeRoom, outputPaths, toText } = require('./files')
const { prepareSides } = require('./choice')
const { createProgress } = require('./progress')
const reportOf = require('./report')
const { run, statisticsOf } = require('./run')
const { writeWhole } = require('./temporary')
const { comparisonText, resultText } = require('./terminal')
const { skippedText } = require('./words')

/**
 * The usual session: install the sides, measure, write the files, print.
 *
 * @param {import('./scenario').Scenario[]} scenarios
 * @param {object} settings of arguments.js
 */
module.exports = async function session (scenarios, settings) {
  const paths = outputPaths(settings.output)
  makeRoom([paths.main, ...(settings.compares ? [paths.a, paths.b] : []), ...(settings.report ? [paths.report] : [])])
  const progress = createProgress(settings)
  const results = await measure(scenarios, settings, progress)
  for (const result of results) process.stdout.write(`${resultText(result)}\n`)

  const comparison = results.length === 1 ? null : compareSides(results, settings)
  const written = writeFiles(paths, results, comparison, settings)
  const remarks = comparison === null ? caveatLines(results[0]) : []
  const { skipped } = results[0]
  if (skipped.length > 0) remarks.push(skippedText(skipped))
  process.stdout.write(['', ...remarks, `written: ${written.join(' ')}`, ''].join('\n'))
}

async function measure (scenarios, settings, progress) {
  try {
    return await run(await prepareSides(scenarios, settings, progress), scenarios, settings, progress)
  } finally {
    progress.stop()
  }
}

function compareSides (results, settings) {
  const statistics = statisticsOf(settings, results[0].scenarios.length)
  const comparison = compareResults(...results, statistics)
  process.stdout.write(`${comparisonText(comparison)}\n`)
  if (settings.calibrate) {
    comparison.calibration = calibrate(results, statistics)
    process.stdout.write(`${calibrationText(comparison.calibration)}\n`)
  }
  return comparison
}

function caveatLines ({ scenarios }) {
  return scenarios.flatMap(({ name, caveats }) => caveats.map((caveat) => `${name}: ${caveat}`))
}

/** The main file comes last: where it is, all the others are. */
function writeFiles (paths, results, comparison, { report }) {
  const texts = comparison === null
    ? new Map([[paths.main, toText(results[0])]])
    : new Map([[paths.a, toText(results[0])], [paths.b, toText(results[1])], [paths.main, toText(comparison)]])
  if (report) writeWhole(paths.report, reportOf(results, comparison))
  for (const [file, text] of texts) writeWhole(file, text)
  return [...texts.keys(), ...(report ? [paths.report] : [])]
}
