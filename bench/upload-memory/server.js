'use strict'

// A server that takes forms in one way, in a process of its own: server.js WAY FOLDER.

const http = require('node:http')
const ways = require('./ways')

const [way, folder] = process.argv.slice(2)

const server = http.createServer(async (req, res) => {
  try {
    await ways[way](req, res, folder)
    res.end()
  } catch (error) {
    res.writeHead(500).end(error.stack)
  }
})
server.requestTimeout = 0
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
process.on('message', () => {
  process.send({ now: process.memoryUsage.rss(), most: process.resourceUsage().maxRSS * 1024 })
})
process.on('disconnect', () => process.exit())
