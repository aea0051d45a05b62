'use strict'

// A process for one competitor in one row, so that no other code influences how
// V8 optimizes it. It measures on command.

const { handleCommands, sayReady } = require('../../tools/ipc')
const Meter = require('../../tools/lab/meter')
const { competitors, createHandler } = require('../competitors')
const check = require('../measure/check')
const createLoop = require('../measure/loop')
const rows = require('../rows')

const LONGEST = 3 // round times that a round may last, where much of it is not timed

/**
 * @param {object} job
 * @param {string} job.row
 * @param {string} job.competitor
 * @param {number} job.warmUp ms of processor time
 * @param {number} job.roundTime ms
 */
async function start ({ row, competitor, warmUp, roundTime }) {
  const work = rows.find(({ name }) => name === row).build()
  const handler = await createHandler(competitors.find(({ name }) => name === competitor), work)
  const wrong = await check(work, handler)
  if (wrong !== null) return sayReady({ wrong })

  const loop = createLoop(work, handler)
  const { timed, whole } = await warm(loop, warmUp)
  const count = Math.max(Math.round(Math.min(roundTime / timed, LONGEST * roundTime / whole)), 1)

  handleCommands({
    async heap () {
      const meter = new Meter()
      meter.watch()
      await loop(count)
      meter.requests = count
      return { heap: meter.figures().heap }
    },
    round: async () => {
      await loop(1) // fills the caches again after other processes have run
      return { time: await loop(count) / count }
    }
  })
  sayReady()
}

/**
 * @param {number} time ms of processor time: others may be busy as well
 * @returns {Promise<{ timed: number, whole: number }>} ms per request, roughly:
 *   what a round times, and with all that is made ready for it
 */
async function warm (loop, time) {
  const before = process.cpuUsage()
  let count = 1
  for (;;) {
    const start = performance.now()
    const timed = await loop(count) / count / 1e6
    const { user, system } = process.cpuUsage(before)
    if (user + system >= time * 1000) return { timed, whole: (performance.now() - start) / count }
    count = Math.min(count * 2, 1024)
  }
}

start(JSON.parse(process.argv[2]))
