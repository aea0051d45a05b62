'use strict'

// One server in several processes: the parsers keep nothing that processes would
// have to share, so a worker is the whole app.

const cluster = require('node:cluster')
const http = require('node:http')
const { availableParallelism } = require('node:os')
const bodyParser = require('../../../..')

const port = process.env.PORT || 3000

/** Starts the workers, each again if it dies, and ends them on SIGTERM. */
function startPrimary (count) {
  let listening = 0
  let stopping = false
  for (let i = 0; i < count; i++) cluster.fork()
  cluster.on('listening', (worker, { port }) => {
    worker.hasListened = true
    if (++listening === count) announce(port)
  })
  cluster.on('exit', (worker, code, signal) => {
    if (stopping) return
    if (!worker.hasListened) process.exit(1) // another one would fare no better
    console.error(`worker ${worker.process.pid} ended (${signal ?? code}), another one starts`)
    cluster.fork()
  })
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      stopping = true
      cluster.disconnect() // the requests under way are answered
    })
  }
}

function announce (port) {
  console.log(`Listening on http://localhost:${port}/`)
}

function createServer () {
  const json = bodyParser.json()
  return http.createServer((req, res) => json(req, res, (error) => {
    res.statusCode = error?.status ?? 200
    res.setHeader('Content-Type', 'application/json')
    res.end(JSON.stringify({ pid: process.pid, body: req.body, error: error?.type }))
  }))
}

if (cluster.isPrimary) {
  startPrimary(Number(process.env.WORKERS) || availableParallelism())
} else {
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {}) // the primary disconnects
  const server = createServer().listen(port)
  process.once('disconnect', () => server.close()) // idle connections, too
}
