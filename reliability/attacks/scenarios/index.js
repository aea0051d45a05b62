'use strict'

// npm run attacks:scenarios: what many clients do together, beside body-parser.

const { median } = require('../../../tools/statistics')
const textTable = require('../../../tools/text-table')
const attackCommand = require('../command')
const scenarios = require('./catalog')

attackCommand({
  usage: `npm run attacks:scenarios -- [options]

Runs scenarios of many clients against servers with this package's parsers, and
with body-parser 2.4.0, each a process of its own on the loopback interface.
Exit status: 0 if all is as it should be, 1 if not, 2 for wrong options.
`,
  items: scenarios,
  rounds: 1,
  options: {},
  async measure (scenario, { rounds, parser }) {
    const { name, what, columns, faultsOf } = scenario
    const figures = await figuresOf(scenario, rounds, { parser })
    const faults = faultsOf(figures)
    const rows = Object.entries(figures).map(([row, cells]) => [row, ...cells.map((cell) => typeof cell !== 'number' || Number.isInteger(cell) ? String(cell) : cell.toFixed(1))])
    return { figures, faults, text: `${name}: ${what}\n${textTable(['', ...columns], rows)}\n  ${faults.length === 0 ? 'ok' : `FAILED: ${faults.join('; ')}`}\n` }
  }
})

/** Measures the rows in turns: medians of the cells; the last of those that are texts. */
async function figuresOf ({ rows, measure }, rounds, settings) {
  const seen = Object.fromEntries(rows.map((row) => [row, []]))
  for (let round = 0; round < rounds; round++) {
    for (const row of rows) seen[row].push(await measure(row, settings))
  }
  const middle = (cells) => typeof cells[0] === 'number' ? median(cells) : cells.at(-1)
  return Object.fromEntries(rows.map((row) => [row, seen[row][0].map((_, index) => middle(seen[row].map((cells) => cells[index])))]))
}
