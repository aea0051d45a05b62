'use strict'

// npm run bench:report: writes the charts and summary.md of some runs.

const fs = require('node:fs')
const path = require('node:path')
const { readJson, writeFile } = require('../tools/atomic-write')
const { runCommand } = require('../tools/command-line')
const UserError = require('../tools/user-error')
const installPackages = require('./packages')
const { FORMAT, validateResults } = require('./suite/validate-results')

const CHARTS = path.join(__dirname, 'charts')
const SUMMARY = path.join(__dirname, 'summary.md')

runCommand({
  usage: 'Writes bench/charts/ and bench/summary.md.\n\n  npm run bench:report -- FILE...    FILE: what npm run bench -- --json=FILE wrote;\n                                     one for each version of Node.js, the charted ones first\n',
  options: {},
  positionals: true,
  run ({ positionals }) {
    if (positionals.length === 0) throw new UserError('the name of a file is needed; --help tells which')
    const runs = positionals.map((file) => readJson(file, FORMAT))
    runs.forEach(validateResults)
    installPackages()
    report(runs)
  }
})

function report (runs) {
  const chartsOf = require('./suite/charts')
  const summaryOf = require('./suite/summary')
  const { renderChart } = require('../tools/chart')

  const charts = Object.entries(chartsOf(runs))
  if (charts.length === 0) throw new UserError('no file has a row that a chart shows')
  fs.mkdirSync(CHARTS, { recursive: true })
  for (const [name, chart] of charts) writeFile(path.join(CHARTS, `${name}.svg`), renderChart(chart))
  writeFile(SUMMARY, summaryOf(runs))
}
