'use strict'

// npm run attacks -- scenarios: what many clients do together, beside body-parser.

const { SEED, wholeNumber } = require('../../../tools/command-line')
const textTable = require('../../../tools/text-table')
const attackCommand = require('../command')
const { faultsIn, measureRow, scenarios } = require('./catalog')

attackCommand({
  usage: `npm run attacks -- scenarios [options]
       npm run soak -- [options]               the scenario "mixed", for minutes

Runs scenarios of many clients against servers with this package's parsers, and
with body-parser 2.4.0, each a process of its own on the loopback interface.
Exit status: 0 if all pass, 1 if not, 2 for wrong options.
`,
  items: scenarios,
  options: {
    seed: { ...SEED, default: 1, help: 'of what "mixed" and "multer-aborts" send' },
    times: { value: 'N', read: wholeNumber(1, 10_000), default: 1, help: 'as many requests in these two' }
  },
  async measure (scenario, settings) {
    const { name, what, columns } = scenario
    const figures = {}
    for (const row of Object.keys(scenario.rows)) figures[row] = await measureRow(scenario, row, settings)
    const faults = faultsIn(scenario, figures)
    const cellText = (cell) => typeof cell !== 'number' || Number.isInteger(cell) ? String(cell) : cell.toFixed(1)
    const rows = Object.entries(figures).map(([row, cells]) => [row, ...cells.map(cellText)])
    const table = textTable(['', ...columns], rows)
    const verdict = faults.length === 0 ? 'ok' : `FAILED: ${faults.join('; ')}`
    return { faults, text: `${name}: ${what}\n${table}\n  ${verdict}\n` }
  }
})
