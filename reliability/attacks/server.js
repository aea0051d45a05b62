'use strict'

// A plain HTTP server with one parser, in a process of its own. The field
// `x-outcome` of a response is what the parser made of the request.

const http = require('node:http')
const { answerOrders, serve } = require('../../tools/ipc-worker')
const LoopMeter = require('./loop-meter')
const LoadMeter = require('./streams/load-meter')
const targets = require('./targets')

const BACKLOG = 2048 // connections that may wait to be accepted

/** @type {{ target: string, package?: string, parser: string, options: object, server?: object }} */
const { target, package: folder, parser, options, server: settings = {} } = JSON.parse(process.argv[2])
const { [parser]: factory, json } = targets[target](folder)
const attacked = factory(options)
const innocent = json()

const server = http.createServer(settings, (req, res) => {
  const middleware = req.url === '/innocent' ? innocent : attacked
  middleware(req, res, (error) => answer(res, error))
})

function answer (res, error) {
  const status = error ? error.status ?? 500 : 200
  const outcome = error ? `${status} ${error.type ?? error.code}` : '200'
  res.writeHead(status, { 'x-outcome': outcome, 'content-length': 0 })
  res.end()
}

const load = new LoadMeter()
let meter

answerOrders({
  start: () => load.start(),
  read: () => load.read(),
  meter () { meter = new LoopMeter() },
  lap: () => meter.lap()
})
serve(server, { port: 0, host: '127.0.0.1', backlog: BACKLOG })
