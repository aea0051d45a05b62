'use strict'

const path = require('node:path')
const { withLab } = require('../../../tools/lab')
const textTable = require('../../../tools/text-table')

const APP = path.join(__dirname, '../app.js')

/**
 * @typedef {object} Scenario
 * @property {string} name
 * @property {string} what happens
 * @property {string[]} columns of its table
 * @property {Record<string, object>} rows settings of the app, by the name of the row
 * @property {(server: object, settings: { seed: number, times: number }) => Promise<Array<number | string>>} run
 *   sends what clients do to a server of tools/lab, and returns the cells of its row
 * @property {(row: string, cells: Array<number | string>) => (string | false)[]} faultsOf what is wrong with a row
 */

/** @type {Scenario[]} */
const all = [require('./budget'), ...require('./left-behind')]

/** @returns {Promise<Array<number | string>>} cells */
function measureRow ({ name, rows, flags, before, run }, row, settings = { seed: 1, times: 1 }) {
  const app = { app: APP, settings: { parser: 'json', options: {}, ...rows[row] } }
  const how = { name: `${name}, ${row}`, ...app, flags, before }
  return withLab(async (lab) => run(await lab.start(how), settings))
}

/** @returns {string[]} what is wrong @param {Record<string, Array<number | string>>} figures by the name of the row */
const faultsIn = ({ faultsOf }, figures) => Object.entries(figures).flatMap(([row, cells]) =>
  faultsOf(row, cells).filter(Boolean).map((fault) => `${row}: ${fault}`))

/** @returns {Promise<{ faults: string[], text: string }>} */
async function measure (scenario, settings) {
  const { name, what, columns } = scenario
  const figures = {}
  for (const row of Object.keys(scenario.rows)) figures[row] = await measureRow(scenario, row, settings)
  const faults = faultsIn(scenario, figures)
  const cellText = (cell) => typeof cell !== 'number' || Number.isInteger(cell) ? String(cell) : cell.toFixed(1)
  const rows = Object.entries(figures).map(([row, cells]) => [row, ...cells.map(cellText)])
  const verdict = faults.length === 0 ? 'ok' : `FAILED: ${faults.join('; ')}`
  return { faults, text: `${name}: ${what}\n${textTable(['', ...columns], rows)}\n  ${verdict}\n` }
}

module.exports = { all, faultsIn, measure, measureRow }
