'use strict'

// npm run soak: mixed traffic for minutes, and whether anything was left behind.

const fs = require('node:fs')
const { endWithThisProcess } = require('../../perf/children')
const { readArguments, HELP } = require('./arguments')
const soak = require('./soak')
const { sampleText, summaryText } = require('./words')

async function main () {
  const settings = readArguments(process.argv.slice(2))
  if (settings.help) return console.log(HELP)

  console.log(`${settings.minutes} minutes, ${settings.framework}, --seed=${settings.seed}`)
  const result = await soak(settings, (sample) => console.log(sampleText(sample)))
  console.log(summaryText(result))
  if (settings.json !== null) {
    fs.writeFileSync(settings.json, `${JSON.stringify({ date: new Date().toISOString(), node: process.version, settings, ...result }, null, 2)}\n`)
  }
  const fails = result.faults.length > 0 || result.trends.some(({ verdict }) => verdict === 'grows')
  process.exitCode = fails ? 1 : 0
}

endWithThisProcess()
main().catch((error) => {
  console.error(`soak: ${error.message}`)
  process.exitCode = 2
})
