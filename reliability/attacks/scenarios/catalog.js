'use strict'

const path = require('node:path')
const { withLab } = require('../../../tools/lab')

const APP = path.join(__dirname, '../app.js')

/**
 * @typedef {object} Scenario
 * @property {string} name
 * @property {string} what happens
 * @property {string[]} columns of its table
 * @property {Record<string, object>} rows settings of the app, by the name of the row
 * @property {string[]} [flags] of the server's Node.js
 * @property {string[]} [before] a command in front of it
 * @property {(server: object, settings: { seed: number, times: number }) => Promise<Array<number | string>>} run
 *   sends what clients do to a server of tools/lab, and returns the cells of its row
 * @property {(figures: Record<string, Array<number | string>>) => (string | false)[]} faultsOf what is wrong, by the
 *   name of the row
 */

/** @type {Scenario[]} */
const scenarios = [
  ...require('./budget'),
  ...require('./left-behind')
]

/**
 * @param {Scenario} scenario
 * @param {string} row
 * @param {{ seed: number, times: number }} [settings]
 * @returns {Promise<Array<number | string>>} its cells
 */
function measureRow ({ name, rows, flags, before, run }, row, settings = { seed: 1, times: 1 }) {
  const app = { app: APP, settings: { parser: 'json', options: {}, ...rows[row] } }
  const how = { name: `${name}, ${row}`, ...app, flags, before }
  return withLab(async (lab) => run(await lab.start(how), settings))
}

/** @returns {string[]} what is wrong @param {Record<string, Array<number | string>>} figures by the name of the row */
const faultsIn = ({ faultsOf }, figures) => faultsOf(figures).filter(Boolean)

module.exports = { faultsIn, measureRow, scenarios }
