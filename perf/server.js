'use strict'

const { FLAGS, helpText, readArguments } = require('./arguments')
const Failure = require('./failure')
const { needPackages, runProgram } = require('./program')
const { loadScenario, scenarioNames } = require('./scenario')

const { test, overrides, help } = FLAGS
const OWN = {
  test,
  overrides: { ...overrides, help: 'package -> npm spec, and "node" -> version; this working tree by default' },
  port: { type: 'string', value: 'N', help: 'any free one by default' },
  host: { type: 'string', value: 'ADDRESS', help: 'to listen on (127.0.0.1)' },
  help
}

const USAGE = `Serves one scenario, for a driver elsewhere: npm run test:load -- --test=NAME --url=URL

  npm run perf:server -- --test=express5-json --host=0.0.0.0 --port=3000

`

async function main () {
  const settings = readArguments(process.argv.slice(2), scenarioNames(), OWN)
  if (settings.help) return process.stdout.write(`${USAGE}${helpText(OWN)}\n`)
  if (settings.tests.length !== 1) throw new Failure('--test must name one scenario')
  needPackages()
  const { prepareSide } = require('./sides')
  const Target = require('./target')
  const { sideText } = require('./words')

  const scenario = loadScenario(settings.tests[0])
  const side = await prepareSide('A', settings.overrides ?? {}, [scenario.app], process.cwd())
  const { overrides, commit, told, node } = side
  const target = new Target(side, scenario, { ...settings, about: { overrides, commit, told } })
  const url = await target.open()
  await checkOnce(target, scenario)
  process.stdout.write(`${scenario.name} at ${url} (${sideText(told, node.version)})\n`)
  await target.died
}

async function checkOnce (target, scenario) {
  const Driver = require('./driver')
  const { inspect } = require('./measure')
  const driver = new Driver()
  try {
    await inspect(target, scenario, driver, scenario.answer)
  } finally {
    await driver.close()
  }
}

runProgram(main)
