'use strict'

// A process that runs batches. Its parent sends them, expects signs of life, and
// may exit at any time.

process.env.NO_DEPRECATION = 'http-errors' // warns of the odd statuses that `verify` gives
process.removeAllListeners('warning') // odd limits such as '1zb' are intended

const oracle = require('body-parser')
const runBatch = require('./batch')
const createJudge = require('./judge')
const Lock = require('./lock')
const createServer = require('./server')

const HEARTBEAT = 1000 // ms

async function main (subjectFile) {
  const server = await createServer()
  const judge = createJudge({ server, subject: require(subjectFile), oracle, lock: new Lock() })

  process.on('SIGINT', () => {}) // the parent decides
  process.on('disconnect', () => process.exit())
  // Some cases are known to throw errors that are not caught. The outcome of all
  // cases under way is a crash then; they run again, each alone.
  process.on('uncaughtException', (error) => {
    for (const visit of server.visits.values()) visit.crashed(error)
  })
  process.on('message', async (batch) => {
    try {
      process.send({ kind: 'done', batch, ...await runBatch(judge, batch) })
    } catch (error) {
      process.send({ kind: 'failed', batch, error: error.stack })
    }
  })
  setInterval(() => process.send({ kind: 'alive' }), HEARTBEAT)
  process.send({ kind: 'ready' })
}

main(process.argv[2])
