'use strict'

const { median } = require('../../../tools/statistics')
const textTable = require('../../../tools/text-table')

/**
 * Measures the rows in turns.
 *
 * @param {import('./catalog').Scenario} scenario
 * @param {number} rounds
 * @param {{ parser?: string }} settings
 * @returns {Promise<Record<string, Array<number | string>>>} row -> medians of its cells; the last of those that are texts
 */
async function figuresOf ({ rows, measure }, rounds, settings) {
  const seen = Object.fromEntries(rows.map((row) => [row, []]))
  for (let round = 0; round < rounds; round++) {
    for (const row of rows) seen[row].push(await measure(row, settings))
  }
  return Object.fromEntries(rows.map((row) => [row, seen[row][0].map((_, index) => middle(seen[row].map((cells) => cells[index])))]))
}

const middle = (cells) => typeof cells[0] === 'number' ? median(cells) : cells.at(-1)

/** @returns {string} a scenario with its table and its faults */
function text ({ name, what, columns, figures, faults }) {
  const rows = Object.entries(figures).map(([row, cells]) => [row, ...cells.map(cellText)])
  const verdict = faults.length === 0 ? 'ok' : `FAILED: ${faults.join('; ')}`
  return `${name}: ${what}\n${textTable(['', ...columns], rows)}\n  ${verdict}`
}

const cellText = (cell) => typeof cell !== 'number' ? cell : Number.isInteger(cell) ? String(cell) : cell.toFixed(1)

module.exports = { figuresOf, text }
