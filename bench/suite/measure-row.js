'use strict'

const path = require('node:path')
const IpcProcess = require('../../tools/ipc-process')
const { shuffle } = require('../../tools/random')
const { median } = require('../../tools/statistics')
const { competitors: all, missing } = require('../competitors')
const { FLAGS } = require('../measure/heap')

const TIMEOUT = 60_000 // ms for an answer of a worker
/** Measured again in rows where small differences matter. */
const COMPARED = ['minimal', 'compatible', 'ours', 'body-parser']
const COUNTS = 3 // of the bytes per request
const HEAP_WARM_UP = 250 // ms: code that is not optimized yet allocates more

/**
 * Measures one row: a warm process for each competitor, and then one round
 * from each in turn, as often as asked. Only one of them runs at a time.
 *
 * @param {import('../rows/row').Row} row
 * @param {object} settings
 * @param {string} settings.node path of the Node that runs the workers
 * @param {boolean} settings.express
 * @param {number} settings.rounds
 * @param {number} settings.again how many more times, with new processes, where
 *   small differences matter
 * @param {number} settings.roundTime ms
 * @param {number} settings.warmUp ms
 * @param {string[]} [settings.only] names of competitors
 * @returns {Promise<object>} name and for each competitor its `times`
 *   (ns per request), and `bytes` per request where the row wants them; or
 *   what is `missing`, or what was `wrong`
 */
async function measureRow (row, settings) {
  const { only = null } = settings
  const competitors = all.filter(({ name }) => only === null || only.includes(name))
  const able = competitors.filter((one) => missing(row, one).length === 0)
  const { close = false } = row
  const how = { ...settings, warmUp: settings.warmUp * (close ? 2 : 1) }
  const times = await measureTimes(row, able, how)
  // Two processes that do the same differ by some per cent for as long as they
  // live, which is much where ratios are to be small, or close to 1.
  const again = close ? settings.again : 0
  const compared = able.filter(({ name }) => COMPARED.includes(name))
  for (let set = 0; set < again; set++) {
    for (const [name, more] of Object.entries(await measureTimes(row, compared, how))) {
      times[name].times?.push(...more.times)
    }
  }
  const bytes = row.heap ? await measureBytes(row, able, how) : {}
  const results = {}
  for (const competitor of competitors) {
    const { name } = competitor
    results[name] = able.includes(competitor)
      ? { ...times[name], bytes: bytes[name] }
      : { missing: missing(row, competitor) }
  }
  return { name: row.name, results }
}

async function measureTimes (row, able, settings) {
  const results = {}
  const workers = able.map(({ name }) => startWorker(row, name, settings))
  try {
    const answers = await Promise.all(workers.map((worker) => worker.ready(TIMEOUT)))
    for (const [index, { wrong }] of answers.entries()) {
      results[able[index].name] = wrong === undefined ? { times: [] } : { wrong }
    }
    const sound = able.flatMap(({ name }, index) => results[name].times === undefined ? [] : [{ name, worker: workers[index] }])
    for (let round = 0; round < settings.rounds; round++) {
      // In another order each time, so that no competitor always runs after the same one.
      for (const { name, worker } of shuffle(sound, Math.random)) {
        results[name].times.push((await worker.ask('round', {}, TIMEOUT)).time)
      }
    }
    return results
  } finally {
    await Promise.all(workers.map((worker) => worker.close()))
  }
}

async function measureBytes (row, able, settings) {
  const results = {}
  await Promise.all(able.map(async ({ name }) => {
    const worker = startWorker(row, name, { ...settings, warmUp: HEAP_WARM_UP }, FLAGS)
    try {
      const { wrong } = await worker.ready(TIMEOUT)
      if (wrong === undefined) results[name] = await askBytes(worker)
    } finally {
      await worker.close()
    }
  }))
  return results
}

/** The median of some counts. */
async function askBytes (worker) {
  const counts = []
  for (let count = 0; count < COUNTS; count++) counts.push(await worker.ask('bytes', {}, TIMEOUT))
  return {
    heap: median(counts.map(({ heap }) => heap)),
    buffers: median(counts.map(({ buffers }) => buffers))
  }
}

function startWorker (row, competitor, { express, roundTime, warmUp, node }, flags = []) {
  const job = JSON.stringify({ row: row.name, competitor, express, roundTime, warmUp })
  const command = [node, ...flags, path.join(__dirname, 'worker.js'), job]
  return new IpcProcess(`the worker of "${competitor}" in "${row.name}"`, command, __dirname)
}

module.exports = { measureRow, COMPARED }
