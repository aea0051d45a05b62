'use strict'

const path = require('node:path')
const { IpcProcess } = require('../../tools/ipc')
const { competitors, missing } = require('../competitors')
const { alternate } = require('../measure/alternate')

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
 * @returns {Promise<object>} for each competitor its `times` (ns per request)
 *   and bytes of `heap` per request; or what is `missing`, or what was `wrong`
 */
async function measureRow (row, settings) {
  const results = {}
  for (const one of competitors) results[one.name] = { missing: missing(row, one) }
  const able = Object.keys(results).filter((name) => results[name].missing.length === 0)
  // Two processes that do the same differ by some per cent for as long as they live.
  for (let set = 0; set < settings.sets; set++) {
    for (const [name, { times, ...more }] of Object.entries(await measureSet(row, able, settings))) {
      results[name] = { ...times && { times: [...results[name].times ?? [], ...times] }, ...more }
    }
  }
  return results
}

async function measureSet (row, able, settings) {
  const workers = Object.fromEntries(able.map((name) => [name, startWorker(row, name, settings)]))
  const ask = (name, command) => workers[name].ask(command, {}, TIMEOUT)
  try {
    const results = {}
    await Promise.all(able.map(async (name) => { results[name] = await workers[name].ready(TIMEOUT) }))
    const sound = able.filter((name) => results[name].wrong === undefined)
    const times = await alternate(sound, settings.rounds, async (name) => (await ask(name, 'round')).time)
    for (const name of sound) results[name] = { times: times[name], heap: (await ask(name, 'heap')).heap }
    return results
  } finally {
    await Promise.all(Object.values(workers).map((worker) => worker.close()))
  }
}

function startWorker (row, competitor, { roundTime, warmUp, node }) {
  const job = JSON.stringify({ row: row.name, competitor, roundTime, warmUp })
  const command = [node, path.join(__dirname, 'worker.js'), job]
  return new IpcProcess(`the worker of "${competitor}" in "${row.name}"`, command, __dirname)
}

module.exports = measureRow
