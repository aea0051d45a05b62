'use strict'

// The server process of one block. It runs on the side's Node.js, loads its
// packages from the side's folder, and talks to its parent over IPC:
// in come `start`, `stop` and `report` (of the meter), out go `ready`,
// `started`, `stopped`, `report` and `failed`.

const { createRequire } = require('node:module')
const path = require('node:path')
const answers = require('./answers')
const { loadedPackages } = require('./loaded-packages')
const Meter = require('./meter')
const { ABOUT } = require('./remote')
const { loadScenario } = require('./scenario')

const SERVERS = { http: './servers/http', express4: './servers/express', express5: './servers/express' }

function main ({ scenario: name, folder, host, port, answer, about }) {
  const scenario = loadScenario(name)
  const load = createRequire(path.join(folder, 'package.json'))
  const server = require(SERVERS[scenario.app])(load, scenario, answers[answer || scenario.answer])
  if (about !== undefined) tellAbout(server, () => ({ scenario: name, ...about, ...loaded() }))
  const meter = new Meter()
  server.on('request', () => { meter.seen++ })
  server.on('error', (error) => {
    process.send({ type: 'failed', reason: error.message }, () => process.exit(1))
  })
  server.keepAliveTimeout = 60_000 // ms; a connection must not end within a block
  server.listen(port, host, () => {
    process.send({ type: 'ready', port: server.address().port })
  })

  process.on('message', ({ type }) => {
    if (type === 'start') {
      meter.start()
      process.send({ type: 'started' })
    } else if (type === 'stop') {
      meter.stop()
      process.send({ type: 'stopped' })
    } else if (type === 'report') {
      process.send({ type: 'report', meter: meter.report(), loaded: loaded() })
    }
  })
}

/** A driver elsewhere cannot know what it sends its load to. */
function tellAbout (server, about) {
  const [serve] = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', (req, res) => {
    if (req.url === ABOUT) res.end(JSON.stringify(about()))
    else serve(req, res)
  })
}

function loaded () {
  return { nodeVersion: process.version, packages: loadedPackages(require.cache) }
}

process.on('disconnect', () => process.exit())
main(JSON.parse(process.argv[2]))
