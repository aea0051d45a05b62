'use strict'

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { withTemporaryFolder } = require('../../tools/atomic-write')
const IpcProcess = require('../../tools/ipc-process')
const { shuffle } = require('../../tools/random')
const { shape } = require('./shapes')

const SMALL = 200_000 // bytes; of the body with which a way is checked
const TIMEOUT = 180_000 // ms for one parse, and until a process is warm

/**
 * Measures one shape: a warm process for each way, and then one round from each
 * in turn. Only one of them runs at a time. Then the peak memory of each, in a
 * process that does nothing else.
 *
 * @param {string} name of the shape
 * @param {string[]} ways of ways.js
 * @param {{ megabytes: number, rounds: number, slice: number, nodeFlags: string[] }} settings
 * @returns {Promise<Record<string, { rounds: object[], memory: object } | { wrong: string }>>}
 */
function measureShape (name, ways, settings) {
  return withTemporaryFolder(path.join(os.tmpdir(), 'bench-slices'), async (folder) => {
    const body = write(path.join(folder, 'body.json'), name, settings.megabytes * 1e6)
    const small = write(path.join(folder, 'small.json'), name, Math.min(SMALL, settings.megabytes * 1e6))
    const results = Object.fromEntries(ways.map((way) => [way, { rounds: [] }]))
    const start = (way, warm) => startWorker({ body, small, slice: settings.slice, way, warm }, settings)
    await measureRounds(start, results, settings)
    for (const way of Object.keys(results).filter((way) => results[way].wrong === undefined)) {
      const worker = start(way, false)
      await attempt(results, way, worker, async () => {
        await isReady(worker)
        results[way].memory = await worker.ask('peak', {}, TIMEOUT)
      })
      await worker.close()
    }
    return results
  })
}

async function measureRounds (start, results, settings) {
  const workers = []
  try {
    for (const way of Object.keys(results)) { // one at a time, so that they do not warm up side by side
      const worker = start(way, true)
      workers.push({ way, worker })
      await attempt(results, way, worker, () => isReady(worker))
    }
    for (let round = 0; round < settings.rounds; round++) {
      for (const { way, worker } of shuffle(workers, Math.random)) {
        if (results[way].wrong !== undefined) continue
        await attempt(results, way, worker, async () => results[way].rounds.push(await worker.ask('round', {}, TIMEOUT)))
      }
    }
  } finally {
    await Promise.all(workers.map(({ worker }) => worker.close()))
  }
}

/** @throws {Error} if the way parses another value */
async function isReady (worker) {
  const { wrong } = await worker.ready(TIMEOUT)
  if (wrong !== null) throw new Error(wrong)
}

/** A way that fails is stopped, and the others are measured. */
async function attempt (results, way, worker, work) {
  try {
    await work()
  } catch (error) {
    results[way] = { wrong: error.message }
    await worker.close()
  }
}

function write (file, name, bytes) {
  const out = fs.openSync(file, 'w')
  for (const piece of shape(name, bytes)) fs.writeSync(out, piece)
  fs.closeSync(out)
  return file
}

function startWorker (job, { nodeFlags }) {
  const command = [process.execPath, ...nodeFlags, path.join(__dirname, 'worker.js'), JSON.stringify(job)]
  return new IpcProcess(job.way, command, __dirname)
}

module.exports = measureShape
