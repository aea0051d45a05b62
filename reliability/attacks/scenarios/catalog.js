'use strict'

/**
 * @typedef {object} Scenario
 * @property {string} name
 * @property {string} what happens
 * @property {string[]} columns of its table
 * @property {string[]} rows usually targets: see ../app.js
 * @property {(row: string, settings: { parser?: string }) => Promise<Array<number | string>>} measure
 *   the cells of a row
 * @property {(figures: Record<string, Array<number | string>>) => string[]} faultsOf what is not as it should be
 */

/** @type {Scenario[]} */
module.exports = [
  ...require('./aborts'),
  require('./pipelined'),
  ...require('./http2-kept'),
  ...require('./budget'),
  require('./slow'),
  require('./one-byte-chunks')
]
