'use strict'

const { helpText, readArguments } = require('./arguments')
const { needPackages, runProgram } = require('./program')
const { loadScenario, scenarioNames } = require('./scenario')

const USAGE = `Load tests of request-body parsers, one side against the other.

  npm run test:load                                    this working tree
  npm run test:load -- --overrides='{"body-parser":"2.4.0"}'
                                                       A = this working tree, B = with the override
  npm run test:compare -- a.json b.json                two results

`

async function main () {
  const settings = readArguments(process.argv.slice(2), scenarioNames())
  if (settings.help) return process.stdout.write(`${USAGE}${helpText()}\n`)
  const scenarios = settings.tests.map(loadScenario)
  if (settings.list) return list(scenarios)
  needPackages()
  if (settings.export !== null) return require('./export')(scenarios, settings)
  return require('./session')(scenarios, settings)
}

function list (scenarios) {
  const width = Math.max(...scenarios.map(({ name }) => name.length))
  for (const { name, about } of scenarios) process.stdout.write(`${name.padEnd(width)}  ${about}\n`)
}

runProgram(main)
