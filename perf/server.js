'use strict'

const { FLAGS, helpText, readArguments } = require('./arguments')
const Failure = require('./failure')
const { runProgram } = require('./program')
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
  const { prepareSide } = require('./sides')
  const Target = require('./target')

  const scenario = loadScenario(settings.tests[0])
  const side = await prepareSide('A', settings.overrides ?? {}, [scenario.app], process.cwd())
  const target = new Target(side, scenario, settings)
  const url = await target.open()
  const told = Object.entries(side.told).map(([name, { name: real, version }]) => `${name} = ${real} ${version}`)
  process.stdout.write(`${scenario.name} at ${url} (${told.join(', ')}, Node.js ${side.node.version})\n`)
  await target.died
}

runProgram(main)
