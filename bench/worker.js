'use strict'

// A process of its own for one competitor in one row, so that no other's work
// shapes its code. It measures when it is told to.

const check = require('./check')
const { competitors } = require('./competitors')
const { countBytes } = require('./heap')
const createLoop = require('./loop')
const rows = require('./rows')
const { createHandler } = require('./stack')

/**
 * @param {object} job
 * @param {string} job.row
 * @param {string} job.competitor
 * @param {boolean} job.express
 * @param {number} job.warmUp ms of processor time, start included
 * @param {number} job.roundTime ms
 */
async function start ({ row, competitor, express, warmUp, roundTime }) {
  const work = rows.find(({ name }) => name === row).build()
  const handler = await createHandler(competitors.find(({ name }) => name === competitor), work)
  const wrong = await check(work, handler, express)
  if (wrong !== null) return process.send({ wrong })

  const loop = createLoop(work, handler, express)
  const each = await warm(loop, warmUp)
  const count = Math.max(Math.round(roundTime / each), 1)

  process.on('message', async (order) => {
    process.send(order === 'heap' ? await countBytes(loop) : { time: await loop(count) / count })
  })
  process.send({ version: process.version })
}

/**
 * @param {number} time ms of processor time: others may be busy as well
 * @returns {Promise<number>} ms per request, roughly
 */
async function warm (loop, time) {
  let each = 0
  for (let count = 1; process.cpuUsage().user < time * 1000; count = Math.min(count * 2, 1024)) {
    const start = performance.now()
    await loop(count)
    each = (performance.now() - start) / count
  }
  return each
}

process.on('disconnect', () => process.exit())
start(JSON.parse(process.argv[2]))
