'use strict'

// A server whose loop takes so many ms for 500 records, on average. Sends its
// port and its RSS in bytes, and then the RSS each second and at the end.

const http = require('node:http')
const { setTimeout: delay } = require('node:timers/promises')
const { ndjson } = require('../..')

const MS = Number(process.argv[2])
const parser = ndjson({ limit: '100gb', max: Infinity })

const server = http.createServer((req, res) => parser(req, res, async () => {
  const begin = performance.now()
  const timer = setInterval(() => process.send(process.memoryUsage().rss), 1000)
  let lists = 0
  for await (const records of req.body.batches(500)) {
    lists += records.length / 500
    await delay(Math.max(0, lists * MS - (performance.now() - begin)))
  }
  process.send(process.memoryUsage().rss)
  clearInterval(timer)
  res.end()
})).listen(0, '127.0.0.1', () => process.send([server.address().port, process.memoryUsage().rss]))
