'use strict'

// The server process of one block. It runs on the target's Node.js and loads
// the packages of the target's folder.

const { createRequire } = require('node:module')
const path = require('node:path')
const { answerOrders, serve } = require('../../tools/ipc-worker')
const { loadScenario } = require('../scenarios')
const answers = require('../scenarios/answers')
const loadedPackages = require('./loaded-packages')
const Meter = require('./meter')
const { ABOUT } = require('./remote-server')

const SERVERS = { http: './apps/http', express4: './apps/express', express5: './apps/express' }

function main ({ scenario: name, folder, host, port, answer, about }) {
  const scenario = loadScenario(name)
  const load = createRequire(path.join(folder, 'package.json'))
  const server = require(SERVERS[scenario.app])(load, scenario, answers[answer || scenario.answer])
  if (about !== undefined) describeAt(server, () => ({ scenario: name, ...about, ...loaded() }))
  const meter = new Meter()
  server.on('request', () => { meter.seen++ })
  server.keepAliveTimeout = 60_000 // ms; a connection must not end within a block
  answerOrders({
    start: () => meter.start(),
    windows: () => ({ windows: meter.windows }),
    stop: () => ({ meter: meter.stop() }),
    report: () => ({ loaded: loaded() })
  })
  serve(server, { port, host })
}

/** Lets a driver on another machine ask what it loads. */
function describeAt (server, about) {
  const [respond] = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', (req, res) => {
    if (req.url === ABOUT) res.end(JSON.stringify(about()))
    else respond(req, res)
  })
}

function loaded () {
  return { nodeVersion: process.version, packages: loadedPackages(require.cache) }
}

main(JSON.parse(process.argv[2]))
