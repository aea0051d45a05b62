'use strict'

const path = require('node:path')
const { clearOutput, readJson, writeFile, writeJson, writeSummary } = require('../../tools/atomic-write')
const { runCommand } = require('../../tools/command-line')
const { ensurePackages } = require('../../tools/npm')
const { OPTIONS, settingsOf } = require('./options')

const USAGE = `Small requests at a fixed rate beside a stream of large JSON posts: how long do they wait?

  npm run test:fairness -- --rate=200 --seconds=10 --rounds=3 --json=fairness.json
  npm run test:fairness -- --from=fairness.json --chart=fairness.svg
`

async function compareStrategies (read) {
  const settings = settingsOf(read)
  const { from, json, summary, chart } = settings
  clearOutput([json, summary, chart].filter((file) => file !== null))
  ensurePackages(path.join(__dirname, '..'))
  const { FORMAT, summaryOf } = require('./result')
  const result = from === null
    ? await require('./session')(settings, (line) => process.stderr.write(`${line}\n`))
    : readJson(from, FORMAT)
  process.stdout.write(`${require('./table')(result)}\n`)
  if (json !== null) writeJson(json, result)
  if (summary !== null) writeSummary(summary, summaryOf(result))
  if (chart !== null) writeFile(chart, require('./chart')(result))
}

runCommand({ usage: USAGE, options: OPTIONS, run: compareStrategies })
