'use strict'

const { median, shuffle } = require('simple-statistics')
const hire = require('./crew')
const { FLAGS } = require('./heap')
const { missing } = require('./competitors')
const { REFERENCES } = require('./growth')
const sections = require('./sections')

const COUNTS = 3 // of the bytes per request
const HEAP_WARM_UP = 250 // ms: code that is not optimized yet allocates more

/**
 * Measures one row: a warm process for each competitor, and then one round
 * from each in turn, as often as asked. Only one of them runs at a time.
 *
 * @param {string} section see sections.js
 * @param {import('./rows/row').Row} row
 * @param {object} settings
 * @param {string} settings.node path of the Node that runs the workers
 * @param {boolean} settings.express
 * @param {number} settings.rounds
 * @param {number} settings.again how many more times, with new processes, where
 *   small differences matter
 * @param {number} settings.roundTime ms
 * @param {number} settings.warmUp ms
 * @returns {Promise<object>} name, floor and for each competitor its `times`
 *   (ns per request), and `bytes` per request where the row wants them; or
 *   what it `lacks`, or what was `wrong`
 */
async function measureRow (section, row, settings) {
  const { competitors } = sections[section]
  const able = competitors.filter((one) => missing(row, one).length === 0)
  const close = row.close ?? (row.floor?.over !== undefined || row.floor?.bare !== undefined)
  const how = { section, ...settings, warmUp: settings.warmUp * (close ? 2 : 1) }
  const times = await measureTimes(row, able, how)
  // Two processes that do the same differ by some per cent for as long as they
  // live, which is much where ratios are to be small, or close to 1.
  const again = close ? settings.again : 0
  const compared = row.floor === undefined ? able : able.filter(({ name }) => REFERENCES.includes(name))
  for (let crew = 0; crew < again; crew++) {
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
      : { lacks: missing(row, competitor) }
  }
  return { section, name: row.name, floor: row.floor, results }
}

async function measureTimes (row, able, settings) {
  const results = {}
  const crew = able.map(({ name }) => ({ name, worker: hire(job(row, name, settings), settings) }))
  try {
    const sound = []
    for (const { name, worker } of crew) {
      const { wrong } = await worker.ready
      results[name] = wrong === undefined ? { times: [] } : { wrong }
      if (wrong === undefined) sound.push({ name, worker })
    }
    for (let round = 0; round < settings.rounds; round++) {
      // In another order each time, so that nobody always runs behind the same one.
      for (const { name, worker } of shuffle(sound)) results[name].times.push((await worker.ask('round')).time)
    }
    return results
  } finally {
    for (const { worker } of crew) worker.stop()
  }
}

async function measureBytes (row, able, settings) {
  const results = {}
  await Promise.all(able.map(async ({ name }) => {
    const worker = hire(job(row, name, { ...settings, warmUp: HEAP_WARM_UP }), { node: settings.node, flags: FLAGS })
    try {
      const { wrong } = await worker.ready
      if (wrong === undefined) results[name] = { ...await askBytes(worker), ...await worker.ask('allocations') }
    } finally {
      worker.stop()
    }
  }))
  return results
}

/** The median of some counts. */
async function askBytes (worker) {
  const counts = []
  for (let count = 0; count < COUNTS; count++) counts.push(await worker.ask('bytes'))
  return {
    heap: median(counts.map(({ heap }) => heap)),
    buffers: median(counts.map(({ buffers }) => buffers))
  }
}

function job (row, competitor, { section, express, roundTime, warmUp }) {
  return { section, row: row.name, competitor, express, roundTime, warmUp }
}

module.exports = measureRow
