'use strict'

// A server under test, in a process of its own: `node server.js APP SETTINGS`. APP is a module that exports
// `createServer(settings)`, and may export `commands`, which the parent can ask for besides those of the meter.

const { setTimeout: delay } = require('node:timers/promises')
const { handleCommands, failAndExit, sayReady } = require('../ipc')
const Meter = require('./meter')

const INTERVAL = 400 // us between two samples of the stack
const IDLE = 60_000 // ms; a connection must not end while the other server has its turn
const BACKLOG = 4096 // connections that may wait to be accepted; the kernel has a bound of its own
const SETTLE = 50 // ms before a collection, in which finished requests are released

async function main (app, settings) {
  const { createServer, commands = {} } = require(app)
  const meter = new Meter()
  let stopProfiler = null
  const server = await createServer(settings)
  server.on('request', () => { meter.requests++ })
  server.keepAliveTimeout = IDLE
  handleCommands({
    usage: () => meter.usage(),
    async watch ({ profile = false }) {
      stopProfiler = profile ? await startProfiler() : null
      meter.watch()
    },
    figures: async () => ({ ...meter.figures(), ...stopProfiler && { profile: await stopProfiler() } }),
    collect,
    ...commands
  })
  server.on('error', failAndExit)
  server.listen({ port: 0, host: '127.0.0.1', backlog: BACKLOG }, () => sayReady({ port: server.address().port }))
}

/** @returns {Promise<() => Promise<object>>} stops V8's profiler, and returns the content of a .cpuprofile */
async function startProfiler () {
  const { Session } = require('node:inspector/promises')
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: INTERVAL })
  await session.post('Profiler.start')
  return async () => {
    const { profile } = await session.post('Profiler.stop')
    session.disconnect()
    return profile
  }
}

/** Collects garbage, in a process that was started with --expose-gc. */
async function collect () {
  for (let i = 0; i < 3; i++) {
    await delay(SETTLE)
    globalThis.gc()
  }
}

const [, , app, settings] = process.argv
main(app, JSON.parse(settings)).catch(failAndExit)
