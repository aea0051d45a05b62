'use strict'

// Big JSON bodies parsed in a worker thread: json({ parse }) that returns a
// promise. The event loop goes on meanwhile.
//
// What comes back from a worker is cloned, on this thread. To clone all that
// JSON.parse made would hold the event loop about as long as JSON.parse itself,
// so the worker sends what the app is after: here the sum of an invoice.

const { isMainThread, parentPort, Worker } = require('node:worker_threads')

/** What both threads do: JSON in, the little that the app wants out. */
function digest (text) {
  const { rows } = JSON.parse(text)
  if (!Array.isArray(rows)) throw new TypeError('rows must be an array')
  const total = rows.reduce((sum, row) => sum + Number(row?.amount), 0)
  return { count: rows.length, total, thread: isMainThread ? 'main' : 'worker' }
}

if (isMainThread) {
  module.exports = createApp()
  if (require.main === module) serve(module.exports)
} else {
  parentPort.on('message', ({ id, text }) => {
    try {
      parentPort.postMessage({ id, value: digest(text) })
    } catch (error) {
      parentPort.postMessage({ id, error })
    }
  })
}

function createApp () {
  const express = require('express')
  const bodyParser = require('fast-body-parser')
  const BIG = 100_000 // characters; what is smaller is parsed sooner than sent
  const inWorker = createClient()
  const app = express()

  app.use(bodyParser.json({
    limit: '20mb',
    parse: (text) => text.length < BIG ? digest(text) : inWorker(text)
  }))

  app.use((req, res) => {
    res.json(req.body)
  })

  app.use((error, req, res, next) => {
    const { status = 500, type, message } = error
    res.status(status).json({ error: { status, type, message } })
  })

  return app
}

/** One worker for all bodies; if it dies, the next body gets a new one. */
function createClient () {
  let worker = null
  let waiting = new Map() // id -> what settles its promise
  let lastId = 0

  function start () {
    const mine = waiting
    const started = new Worker(__filename)
    started.on('message', ({ id, value, error }) => {
      const { resolve, reject } = mine.get(id)
      mine.delete(id)
      if (error === undefined) resolve(value)
      else reject(error)
    })
    started.on('error', () => {}) // such as no memory; it exits then
    started.on('exit', () => {
      if (worker === started) worker = null
      for (const { reject } of mine.values()) reject(Object.assign(new Error('the parser broke down'), { status: 503, type: 'parser.lost' }))
      mine.clear()
    })
    started.unref() // it alone does not keep the process running
    return started
  }

  return (text) => new Promise((resolve, reject) => {
    if (worker === null) {
      waiting = new Map()
      worker = start()
    }
    const id = ++lastId
    waiting.set(id, { resolve, reject })
    worker.postMessage({ id, text })
  })
}

function serve (app) {
  const server = app.listen(process.env.PORT ?? 3000, (error) => {
    if (error) throw error
    const url = `http://localhost:${server.address().port}/`
    console.log(`Listening on ${url} - try:

  curl ${url} --json '{"rows":[{"amount":1},{"amount":2}]}'
  node -p 'JSON.stringify({ rows: Array(2e5).fill({ amount: 1 }) })' | curl ${url} --json @-`)
  })
}
