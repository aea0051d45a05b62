'use strict'

const { runCommand, wholeNumber } = require('../tools/command-line')
const UserError = require('../tools/user-error')
const defaults = require('./defaults')
const { OPTIONS } = require('./options')
const { loadScenario } = require('./scenarios')

const USAGE = `Serves one scenario, for a driver on another machine: npm run test:load -- --test=NAME --url=URL

  npm run perf:server -- --test=express5-json --host=0.0.0.0 --port=3000
`

const { test, overrides } = OPTIONS

async function serve ({ values }) {
  if (values.test.length !== 1) throw new UserError('--test must name one scenario')
  const { targetText } = require('./results/format')
  const { verifyServer } = require('./runner/verify')
  const { withDriver } = require('./runner/measure')
  const { installTarget } = require('./targets/install')
  const TargetServer = require('./targets/server')

  const scenario = loadScenario(values.test[0])
  const target = await installTarget('A', values.overrides ?? {}, [scenario.app], process.cwd())
  const { overrides, commit, resolved, node } = target
  const server = new TargetServer(target, scenario, { ...values, about: { overrides, commit, resolved } })
  const url = await server.open()
  await withDriver((driver) => verifyServer(server, scenario, driver, scenario.answer))
  process.stdout.write(`${scenario.name} at ${url} (${targetText({ resolved, serverMetadata: { node: node.version } })})\n`)
  await server.died
}

runCommand({
  usage: USAGE,
  options: {
    test,
    overrides: { ...overrides, help: 'package -> npm spec, and "node" -> version; this working tree by default' },
    port: { value: 'N', read: wholeNumber(0, 65_535), default: 0, help: 'any free one by default' },
    host: { value: 'ADDRESS', default: defaults.host, help: 'to listen on' }
  },
  run: serve
})
