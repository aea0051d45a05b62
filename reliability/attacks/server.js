'use strict'

// A plain HTTP server with one parser, in a process of its own. The field
// `x-outcome` of a response is what the parser made of the request.

const http = require('node:http')
const { answerOrders, serve } = require('../../tools/ipc-worker')
const LoopMeter = require('./loop-meter')
const targets = require('./targets')

const BACKLOG = 2048 // connections that may wait to be accepted

/** @type {{ target: string, parser: string, options: object, server: object }} */
const { target, parser, options, server: settings } = JSON.parse(process.argv[2])
const middleware = targets[target]()[parser](options)

const server = http.createServer(settings, (req, res) => {
  middleware(req, res, (error) => answer(res, error))
})

function answer (res, error) {
  const status = error ? error.status ?? 500 : 200
  const outcome = error ? `${status} ${error.type ?? error.code}` : '200'
  res.writeHead(status, { 'x-outcome': outcome, 'content-length': 0 })
  res.end()
}

let meter

answerOrders({
  meter () { meter = new LoopMeter() },
  lap: () => meter.lap()
})
serve(server, { port: 0, host: '127.0.0.1', backlog: BACKLOG })
