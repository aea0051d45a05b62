'use strict'

// A plain HTTP server with one parser, in a process of its own. It answers
// with what came of the request, in the header `x-outcome`.

const http = require('node:http')
const Meter = require('./meter')
const sides = require('./sides')

const BACKLOG = 2048 // connections that may wait to be accepted

/** @type {{ side: string, parser: string, options: object, server: object }} */
const { side, parser, options, server: settings } = JSON.parse(process.argv[2])
const middleware = sides[side]()[parser](options)

const server = http.createServer(settings, (req, res) => {
  middleware(req, res, (error) => answer(res, error))
})

function answer (res, error) {
  const status = error ? error.status ?? 500 : 200
  const outcome = error ? `${status} ${error.type ?? error.code}` : '200'
  res.writeHead(status, { 'x-outcome': outcome, 'content-length': 0 })
  res.end()
}

server.listen({ port: 0, host: '127.0.0.1', backlog: BACKLOG }, () => {
  process.send({ type: 'ready', port: server.address().port })
})

let meter

process.on('message', ({ type }) => {
  if (type === 'meter') meter = new Meter()
  process.send(type === 'lap' ? { type, ...meter.lap() } : { type })
})
process.on('disconnect', () => process.exit())
