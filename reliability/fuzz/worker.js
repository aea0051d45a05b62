'use strict'

// A process that works off batches. Its parent hands them out, hears whether
// it is alive, and may go away at any time.

process.env.NO_DEPRECATION = 'http-errors' // tells of odd statuses that verify gives
process.removeAllListeners('warning') // limits such as '1zb' are meant

const oracle = require('body-parser')
const createJudge = require('./judge')
const createServer = require('./server')
const runBatch = require('./batch')
const Turnstile = require('./turnstile')

const HEARTBEAT = 1000 // ms

async function main (subjectFile) {
  const server = await createServer()
  const judge = createJudge({ server, subject: require(subjectFile), oracle, turnstile: new Turnstile() })

  process.on('SIGINT', () => {}) // the parent decides
  process.on('disconnect', () => process.exit())
  // Some cases are known to throw where nobody catches. Whichever it was, the
  // outcome of all that are under way is a crash; they are looked at again, alone.
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
