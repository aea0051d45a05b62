'use strict'

// A server of one app, on the Node.js that is measured: a competitor with the
// work of a row on plain node:http, or a whole stack.

const http = require('node:http')
const { answerOrders, giveUp, sayReady } = require('../../tools/ipc-worker')
const peakRss = require('../../tools/peak-rss')
const { competitors } = require('../competitors')
const { findFault } = require('../measure/check')
const { createHandler } = require('../measure/handler')
const rows = require('../rows')
const { MEDIA_TYPES } = require('../rows/row')
const { stacks } = require('./stacks')

const HOST = '127.0.0.1'

async function main (app) {
  const { server, findWrong = () => null } = await serve(app)
  let requests = 0
  server.on('request', () => { requests++ })
  server.keepAliveTimeout = 600_000 // ms; connections stay open during the turns of other servers
  answerOrders({
    usage () {
      const { user, system } = process.cpuUsage()
      return { requests, cpu: user + system, rss: process.memoryUsage.rss(), peak: peakRss() } // us, bytes
    },
    last: () => ({ wrong: findWrong() })
  })
  sayReady({ port: server.address().port, host: HOST })
}

async function serve ({ row, stack, competitor, limit }) {
  if (stack !== undefined) return { server: await stacks.find(({ name }) => name === stack).serve(HOST) }
  return row === undefined ? serveRecords(competitor, limit) : serveRow(competitor, rows.find(({ name }) => name === row).build())
}

/** The work of a row. */
async function serveRow (competitor, work) {
  const handler = await handlerOf(competitor, work)
  let last = null
  const server = http.createServer((req, res) => {
    handler(req, res, (error) => {
      last = { error, body: req.body }
      if (error !== undefined) res.statusCode = work.status
      res.end('done')
    })
  })
  return { server: await listen(server), findWrong: () => findFault(work, last.error, last.body) }
}

/** JSON of any size; answers with its number of records. The body is gone then. */
async function serveRecords (competitor, limit) {
  const handler = await handlerOf(competitor, { headers: { 'Content-Type': MEDIA_TYPES.json }, parsers: [['json', { limit }]] })
  const server = http.createServer((req, res) => {
    handler(req, res, (error) => res.end(String(error ?? req.body.length)))
  })
  return { server: await listen(server) }
}

const handlerOf = (competitor, work) => createHandler(competitors.find(({ name }) => name === competitor), work)

async function listen (server) {
  await new Promise((resolve) => server.listen(0, HOST, resolve))
  return server
}

main(JSON.parse(process.argv[2])).catch(giveUp)
