'use strict'

// The server of one block: one strategy on node:http.

const http = require('node:http')
const { answerOrders, serve } = require('../../tools/ipc-worker')
const answers = require('../scenarios/answers')
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
  answerOrders({
    start: () => meter.start(),
    stop () {
      meter.stop()
      return { turns: meter.report() }
    }
  })
  serve(server, { port: 0, host })
}

main(JSON.parse(process.argv[2]))
