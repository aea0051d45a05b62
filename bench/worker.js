'use strict'

// A process of its own for one competitor in one row, so that no other's work
// shapes its code. It measures when it is told to.

const countAllocations = require('./allocations')
const check = require('./check')
const { countBytes } = require('./heap')
const createLoop = require('./loop')
const sections = require('./sections')
const { createHandler } = require('./stack')

/**
 * @param {object} job
 * @param {string} job.section
 * @param {string} job.row
 * @param {string} job.competitor
 * @param {boolean} job.express
 * @param {number} job.warmUp ms of processor time
 * @param {number} job.roundTime ms
 */
async function start ({ section, row, competitor, express, warmUp, roundTime }) {
  const { rows, competitors } = sections[section]
  const work = rows.find(({ name }) => name === row).build()
  const handler = await createHandler(competitors.find(({ name }) => name === competitor), work)
  const wrong = await check(work, handler, express)
  if (wrong !== null) return process.send({ wrong })

  const loop = createLoop(work, handler, express)
  const each = await warm(loop, warmUp)
  const count = Math.max(Math.round(roundTime / each), 1)

  const orders = {
    allocations: async () => ({ allocations: await countAllocations(loop) }),
    bytes: () => countBytes(loop),
    round: async () => {
      await loop(1) // what others have pushed out of the caches
      return { time: await loop(count) / count }
    }
  }
  process.on('message', async (order) => process.send(await orders[order]()))
  process.send({ version: process.version })
}

/**
 * @param {number} time ms of processor time: others may be busy as well
 * @returns {Promise<number>} ms per request, roughly
 */
async function warm (loop, time) {
  const before = process.cpuUsage()
  let each
  let count = 1
  do {
    each = await loop(count) / count / 1e6
    count = Math.min(count * 2, 1024)
  } while (process.cpuUsage(before).user < time * 1000)
  return each
}

process.on('disconnect', () => process.exit())
start(JSON.parse(process.argv[2]))
