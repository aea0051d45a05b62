'use strict'

// A server that reads large bodies in one way, in a process of its own: server.js WAY.

const { peakRss } = require('../../tools/lab/meter')
const ways = require('./ways')

const server = ways[process.argv[2]].createApp().listen(0, '127.0.0.1', (error) => {
  if (error) throw error
  process.send({ port: server.address().port })
})
server.requestTimeout = 0
process.on('message', () => {
  const { system, user } = process.cpuUsage()
  process.send({ now: process.memoryUsage.rss(), peak: peakRss(), cpu: user + system })
})
process.on('disconnect', () => process.exit())
