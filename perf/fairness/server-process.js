'use strict'

// The server of one block: one strategy on node:http. It talks to its parent
// over IPC: in come `start` and `stop` of the meter, out go `ready`, `started`,
// `stopped` and `failed`.

const http = require('node:http')
const answers = require('../answers')
const strategies = require('./strategies')
const TurnMeter = require('./turn-meter')

function main ({ strategy: id, slice, host, answer }) {
  const parse = strategies.find((one) => one.id === id).create({ slice })
  const respond = answers[answer]
  const meter = new TurnMeter()
  const server = http.createServer((req, res) => {
    parse(req, res, (error) => {
      if (error) res.statusCode = error.status || 500
      res.end(error ? error.message : respond(req.body))
    })
  })
  server.keepAliveTimeout = 60_000 // ms; a connection must not end within a block
  server.on('error', (error) => {
    process.send({ type: 'failed', reason: error.message }, () => process.exit(1))
  })
  server.listen(0, host, () => {
    process.send({ type: 'ready', port: server.address().port })
  })

  process.on('message', ({ type }) => {
    if (type === 'start') {
      meter.start()
      process.send({ type: 'started' })
    } else if (type === 'stop') {
      meter.stop()
      process.send({ type: 'stopped', turns: meter.report() })
    }
  })
}

process.on('disconnect', () => process.exit())
main(JSON.parse(process.argv[2]))
