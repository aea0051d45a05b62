'use strict'

// Histograms for Prometheus of how long bodies take and how large they are, by parser, lane and outcome. A label needs
// a bounded set of values: `error.status`, or `error.type` if your `verify` has no types of its own.

const { tracingChannel } = require('node:diagnostics_channel')
const express = require('express')
const { Histogram, register } = require('prom-client')
const bodyParser = require('fast-body-parser')

const app = express()

const labelNames = ['parser', 'lane', 'outcome']
const duration = new Histogram({
  name: 'http_request_body_duration_seconds',
  help: 'From the call of the parser to that of next',
  labelNames,
  buckets: [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5]
})
const size = new Histogram({
  name: 'http_request_body_bytes',
  help: 'Bytes of the body as they came in',
  labelNames,
  buckets: [0, 100, 1e3, 1e4, 1e5, 1e6, 1e7]
})

tracingChannel('fast-body-parser').asyncStart.subscribe(({ parser, lane, bytesIn, ms, error }) => {
  const labels = { parser, lane, outcome: error === undefined ? 'ok' : String(error.status) }
  duration.observe(labels, ms / 1000)
  size.observe(labels, bytesIn)
})

app.get('/metrics', async (req, res) => res.type(register.contentType).send(await register.metrics()))

app.use(bodyParser.json({ limit: '1kb' }), bodyParser.urlencoded(), (req, res) => res.end())
app.use((error, req, res, next) => res.status(error.status).end())

module.exports = app

if (require.main === module) {
  const server = app.listen(process.env.PORT ?? 3000, (error) => {
    if (error) throw error
    const url = `http://localhost:${server.address().port}/`
    console.log(`Listening on ${url} - try:

  curl ${url} -d 'user=tobi'
  curl ${url}metrics`)
  })
}
