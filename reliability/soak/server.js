'use strict'

// The server under soak, in a process of its own, started with --expose-gc.

const http = require('node:http')
const { setImmediate, setTimeout: delay } = require('node:timers/promises')
const { handleCommands, serve } = require('../../tools/ipc-worker')
const appOf = require('./app')
const Watch = require('./watch')

const PATIENCE = 5000 // ms for connections that linger
const SETTLE = 20 // ms before a collection, in which finished requests are released

/** @type {{ framework: string, injectFault: string | null, guarded: boolean }} */
const { framework, injectFault, guarded } = JSON.parse(process.argv[2])
const watch = new Watch()
const server = http.createServer(appOf(framework, injectFault, watch, guarded))
watch.follow(server)
server.keepAliveTimeout = 0 // idle connections stay

handleCommands({
  async sample () {
    for (let i = 0; i < 3; i++) {
      await delay(SETTLE)
      globalThis.gc()
    }
    return watch.sample()
  },
  async rest () {
    const end = performance.now() + PATIENCE
    while (performance.now() < end && Object.values(watch.rest()).some((count) => count > 0)) await setImmediate()
    return watch.rest()
  }
})
serve(server, { port: 0, host: '127.0.0.1' })
