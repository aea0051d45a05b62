'use strict'

const { interquartileRange, median, min } = require('../../tools/statistics')
const rows = require('../rows')
const measureRow = require('../suite/measure-row')
const { messageOf, withSession } = require('./session')

const NAMES = ['ours', 'body-parser']

/**
 * How much less than body-parser this package takes: in a row, and in a server.
 *
 * @param {string} name of a row
 * @param {string} node path of the Node that runs both
 * @param {{ connections: number, server: object, row: object }} settings see session.js and measure-row.js
 * @returns {Promise<{ name: string, row: Record<string, number>, server: Record<string, number[]> }>}
 *   us per request: the least ones of a row, and of CPU in each turn of a server
 */
async function compareRow (name, node, { connections, server, row: settings }) {
  const row = rows.find((row) => row.name === name)
  const { results } = await measureRow('work', { ...row, heap: false }, { node, express: false, only: NAMES, ...settings })
  return {
    name,
    row: Object.fromEntries(NAMES.map((one) => [one, min(results[one].times) / 1000])),
    server: await withSession((session) => measureServers(session, row, { node, connections }, server))
  }
}

async function measureServers (session, { name: row, build }, how, { warmUp, ...settings }) {
  const work = build()
  const expected = { status: work.status ?? 200, body: 'done' }
  for (const name of NAMES) await session.open({ name, app: { row, competitor: name }, message: messageOf(work), expected }, how)
  await session.warm(warmUp)
  const turns = await session.measure({ rate: null, ...settings })
  return Object.fromEntries(NAMES.map((name) => [name, turns[name].map(({ cpu }) => cpu)]))
}

const HEAD = ['µs per request that ours saves', 'in the row', 'in a server', '% of its CPU time']

/** @param {Awaited<ReturnType<typeof compareRow>>[]} results @returns {string[][]} lines below HEAD */
function linesOf (results) {
  return results.map(({ name, row, server }) => {
    const saved = server['body-parser'].map((theirs, round) => theirs - server.ours[round])
    return [
      name,
      (row['body-parser'] - row.ours).toFixed(1),
      `${median(saved).toFixed(1)} ±${(interquartileRange(saved) / 2).toFixed(1)}`,
      (100 * median(saved) / median(server['body-parser'])).toFixed(0)
    ]
  })
}

module.exports = { compareRow, HEAD, linesOf }
