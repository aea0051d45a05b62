'use strict'

// Histograms for Prometheus from the tracing channel: how long bodies take, and
// how large they are, by parser, lane and outcome.

const { tracingChannel } = require('node:diagnostics_channel')
const express = require('express')
const bodyParser = require('fast-body-parser')
const { Histogram, Registry } = require('prom-client')

/**
 * Counts all bodies of this process from now on.
 *
 * @param {Registry} registry
 * @returns {() => void} stops that
 */
function countBodies (registry) {
  const labelNames = ['parser', 'lane', 'outcome']
  const duration = new Histogram({
    name: 'http_request_body_duration_seconds',
    help: 'From the call of the body parser to that of next',
    labelNames,
    buckets: [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers: [registry]
  })
  const size = new Histogram({
    name: 'http_request_body_bytes',
    help: 'Bytes of the body as they came in',
    labelNames,
    buckets: [0, 100, 1e3, 1e4, 1e5, 1e6, 1e7],
    registers: [registry]
  })
  // A type may be the app's own, so that there is no end of them: of an error,
  // the status is told.
  const observe = ({ parser, lane, bytesIn, ms, error }) => {
    const labels = { parser, lane, outcome: error === undefined ? 'ok' : String(error.status) }
    duration.observe(labels, ms / 1000)
    size.observe(labels, bytesIn)
  }
  const { asyncStart } = tracingChannel('fast-body-parser')
  asyncStart.subscribe(observe)
  return () => asyncStart.unsubscribe(observe)
}

const registry = new Registry()
const app = express()
app.disable('x-powered-by')
app.get('/metrics', async (req, res) => res.type(registry.contentType).send(await registry.metrics()))
app.use(bodyParser.json({ limit: '10kb' }), bodyParser.urlencoded())
app.use((req, res) => res.json({ body: req.body }))
app.use((error, req, res, next) => {
  const { status = 500, type, message } = error
  res.status(status).json({ error: { status, type, message } })
})

module.exports = { app, countBodies, registry }

if (require.main === module) {
  countBodies(registry)
  const server = app.listen(process.env.PORT || 3000, (error) => {
    if (error) throw error
    const url = `http://localhost:${server.address().port}/`
    console.log(`Listening on ${url} - try:

  curl ${url} --json '{"user":"tobi"}'
  echo '{"user":"tobi"}' | gzip | curl ${url} --json @- -H 'Content-Encoding: gzip'
  head -c 20000 /dev/zero | curl ${url} --json @-
  curl -s ${url}metrics | grep -v _bucket`)
  })
}
