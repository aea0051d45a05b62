'use strict'

const { runCommand } = require('../tools/command-line')
const { OPTIONS, settingsOf } = require('./options')
const { loadScenario, scenarioNames } = require('./scenarios')

const USAGE = `Load tests of request-body parsers, one target against the other.

  npm run test:load                                    this working tree
  npm run test:load -- --overrides='{"body-parser":"2.4.0"}'
                                                       A = this working tree, B = with the override
  npm run test:compare -- a.json b.json                two results

A comparison with the standard loads takes about 4 minutes per scenario, which is
runs x (10 s + loads x 8 s); on a busy machine, where some of it is repeated, up to 6.
`

function list (scenarios) {
  const width = Math.max(...scenarios.map(({ name }) => name.length))
  for (const { name, about } of scenarios) process.stdout.write(`${name.padEnd(width)}  ${about}\n`)
}

runCommand({
  usage: USAGE,
  options: OPTIONS,
  run (read) {
    const settings = settingsOf(read)
    if (settings.list) return list(scenarioNames().map(loadScenario))
    const scenarios = settings.tests.map(loadScenario)
    if (settings.export !== null) return require('./report/artillery')(scenarios, settings)
    return require('./runner/session')(scenarios, settings)
  }
})
