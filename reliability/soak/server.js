'use strict'

// The server under soak, in a process of its own, started with --expose-gc.

const http = require('node:http')
const { setTimeout: delay } = require('node:timers/promises')
const appOf = require('./app')
const Watch = require('./watch')

const SETTLE = 20 // ms for what a request leaves behind to go

/** @type {{ framework: string, plant: string | null }} */
const { framework, plant } = JSON.parse(process.argv[2])
const watch = new Watch()
const server = http.createServer(appOf(framework, plant, watch))
server.keepAliveTimeout = 0 // idle connections stay

server.listen({ port: 0, host: '127.0.0.1' }, () => {
  process.send({ type: 'ready', port: server.address().port })
})

process.on('message', async ({ type }) => {
  for (let i = 0; i < 3; i++) {
    await delay(SETTLE)
    globalThis.gc()
  }
  process.send({ type, ...watch.sample() })
})
process.on('disconnect', () => process.exit())
