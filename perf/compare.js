'use strict'

const path = require('node:path')
const { runCommand } = require('../tools/command-line')
const UserError = require('../tools/user-error')
const { OPTIONS } = require('./options')

const USAGE = `Compares two saved results of npm run test:load.

  npm run test:compare -- a.json b.json
`

const { threshold, output, report, summary } = OPTIONS

async function compare ({ values, positionals: files }) {
  if (files.length !== 2) throw new UserError(`two result files are needed, not ${files.length}`)
  const { clearOutput, writeFile, writeJson } = require('../tools/atomic-write')
  const reportPage = require('./report/page')
  const { summaryFiles, writeSummaryFiles } = require('./report/summary')
  const { comparisonText } = require('./report/terminal')
  const { compareResults } = require('./results/comparison')
  const loadResult = require('./results/load-result')
  const outputPaths = require('./results/output-paths')
  const { statisticsOf } = require('./runner/measure')

  const results = files.map(loadResult)
  const comparison = compareResults(...results, statisticsOf(values))
  const paths = values.output === null && !values.report ? null : outputPaths(values.output)
  const outputs = [
    { files: values.summary === null ? [] : summaryFiles(values.summary), write: () => writeSummaryFiles(values.summary, results, comparison) },
    { files: values.report ? [paths.report] : [], write: ([file]) => writeFile(file, reportPage(results, comparison)) },
    { files: values.output === null ? [] : [paths.main], write: ([file]) => writeJson(file, comparison) }
  ].filter(({ files }) => files.length > 0)
  const written = outputs.flatMap((output) => output.files)
  const overwritten = files.find((file) => written.includes(path.resolve(file)))
  if (overwritten !== undefined) throw new UserError(`${overwritten} is to be compared, not to be written`)
  clearOutput(written)
  for (const { files, write } of outputs) write(files)
  process.stdout.write(`${comparisonText(comparison)}\n`)
  if (written.length > 0) process.stdout.write(`\nwritten: ${written.join(' ')}\n`)
}

runCommand({ usage: USAGE, options: { threshold, output, report, summary }, positionals: true, run: compare })
