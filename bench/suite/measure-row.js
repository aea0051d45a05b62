'use strict'

const path = require('node:path')
const { IpcProcess } = require('../../tools/ipc')
const { shuffle } = require('../../tools/random')
const { competitors, missing } = require('../competitors')

const TIMEOUT = 60_000 // ms for an answer of a worker

/**
 * Measures one row: a warm process for each competitor, and then one round
 * from each in turn, as often as asked. Only one of them runs at a time.
 *
 * @param {import('../rows/row').Row} row
 * @param {object} settings
 * @param {string} settings.node path of the Node that runs the workers
 * @param {number} settings.rounds
 * @param {number} settings.sets of processes, one after the other
 * @param {number} settings.roundTime ms
 * @param {number} settings.warmUp ms
 * @returns {Promise<object>} name and for each competitor its `times`
 *   (ns per request) and bytes of `heap` per request; or what is `missing`,
 *   or what was `wrong`
 */
async function measureRow (row, settings) {
  const able = competitors.filter((one) => missing(row, one).length === 0)
  const measured = await measureSet(row, able, settings)
  // Two processes that do the same differ by some per cent for as long as they live.
  for (let set = 1; set < settings.sets; set++) {
    for (const [name, { times = [] }] of Object.entries(await measureSet(row, able, settings))) measured[name].times?.push(...times)
  }
  const results = competitors.map((one) => [one.name, measured[one.name] ?? { missing: missing(row, one) }])
  return { name: row.name, results: Object.fromEntries(results) }
}

async function measureSet (row, able, settings) {
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
    for (const { name, worker } of sound) Object.assign(results[name], await worker.ask('heap', {}, TIMEOUT))
    return results
  } finally {
    await Promise.all(workers.map((worker) => worker.close()))
  }
}

function startWorker (row, competitor, { roundTime, warmUp, node }) {
  const job = JSON.stringify({ row: row.name, competitor, roundTime, warmUp })
  const command = [node, path.join(__dirname, 'worker.js'), job]
  return new IpcProcess(`the worker of "${competitor}" in "${row.name}"`, command, __dirname)
}

module.exports = measureRow
