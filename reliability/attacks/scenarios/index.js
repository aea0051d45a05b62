'use strict'

// npm run attacks:scenarios: what many clients do together, beside body-parser.

const { median } = require('../../../tools/statistics')
const textTable = require('../../../tools/text-table')
const attackCommand = require('../command')
const { measureRow, scenarios } = require('./catalog')

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
    const figures = await figuresOf(scenario, rounds, parser)
    const faults = faultsOf(figures)
    const rows = Object.entries(figures).map(([row, cells]) => [row, ...cells.map((cell) => typeof cell !== 'number' || Number.isInteger(cell) ? String(cell) : cell.toFixed(1))])
    return { figures, faults, text: `${name}: ${what}\n${textTable(['', ...columns], rows)}\n  ${faults.length === 0 ? 'ok' : `FAILED: ${faults.join('; ')}`}\n` }
  }
})

/** Measures the rows in turns: medians of the cells; the last of those that are texts. */
async function figuresOf (scenario, rounds, folder) {
  const seen = Object.fromEntries(Object.keys(scenario.rows).map((row) => [row, []]))
  for (let round = 0; round < rounds; round++) {
    for (const row of Object.keys(seen)) seen[row].push(await measureRow(scenario, row, folder))
  }
  const middle = (cells) => typeof cells[0] === 'number' ? median(cells) : cells.at(-1)
  return Object.fromEntries(Object.entries(seen).map(([row, all]) => [row, all[0].map((_, index) => middle(all.map((cells) => cells[index])))]))
}
