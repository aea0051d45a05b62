'use strict'

// What parsing in slices costs, and how long it holds the event loop, by the
// shape of the body. `node bench/slices.js --help`.

const fs = require('node:fs')
const path = require('node:path')
const { HELP, readArguments } = require('./slices/arguments')

async function main () {
  const settings = readArguments(process.argv.slice(2))
  if (settings.help) return console.log(HELP)
  require('./install').installCompetitors()
  if (settings.ways.length > 2) require('../perf/program').needPackages()
  const file = settings.json && path.resolve(settings.json)
  if (file) fs.closeSync(fs.openSync(file, 'a')) // better to fail now than with all measured

  const { measureShape } = require('./slices/measure')
  const results = {}
  for (const shape of settings.shapes) {
    process.stderr.write(`${shape}\n`)
    results[shape] = await measureShape(shape, settings.ways, settings)
  }
  if (file) fs.writeFileSync(file, `${JSON.stringify(fileOf(settings, results), null, 1)}\n`)
  const { megabytes, rounds, slice, nodeFlags } = settings
  console.log(`Node ${[process.version, ...nodeFlags].join(' ')}; ${megabytes} MB; ${rounds} rounds; slices of ${slice} ms`)
  console.log(require('./slices/table')(results))
}

function fileOf ({ json, help, ...settings }, results) {
  const { describeCommit, describeMachine } = require('../perf/machine')
  return {
    date: new Date().toISOString(),
    node: process.version,
    machine: describeMachine(),
    commit: describeCommit(path.join(__dirname, '..')),
    settings,
    versions: versionsOf(settings.ways),
    results
  }
}

/** Of what comes from npm. */
function versionsOf (ways) {
  const others = Object.entries(require('../perf/fairness/parsers')).filter(([id, one]) => ways.includes(id) && one.package !== undefined)
  if (others.length === 0) return {}
  const installed = require('../perf/npm').installedPackages(path.join(__dirname, '../perf'))
  return Object.fromEntries(others.map(([id, one]) => [id, installed[`node_modules/${one.package}`].version]))
}

main().catch((error) => {
  console.error(`bench: ${error.message}`)
  process.exitCode = 1
})
