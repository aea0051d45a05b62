'use strict'

// npm run matrix: what if somebody else acts on a request while it is parsed?

const { parseArgs } = require('node:util')
const { createRandom } = require('../../tools/random')
const { allCells, reduce } = require('./cells')
const faults = require('./faults')
const { reportText } = require('./report')

const HELP = `npm run matrix -- [options]

Every lane x every step x every act, over HTTP/1.1 and HTTP/2: somebody else
destroys, pauses or answers a request while it is parsed. Each cell is run with
this package, and with body-parser where it has such a lane. \`next\` must be
called once, and not within destroy() or an 'aborted' event; nothing may be
uncaught; a response can be begun in \`next\`; no timer, listener or byte of a
budget is left; and the outcome is that of body-parser, if it keeps to the same.
Exit status: 0 if so, 1 if not, 2 for wrong options.

  --filter=WORDS       only cells whose names contain all of these, as in
                       "HTTP/2,gzip,req.destroy()"
  --reduced            some cells that have every pair of lane, step and act
  --seed=N             chooses these cells (1)
  --list               print the names of the cells, and run none
  --inject-fault=NAME  one that must be found: ${Object.keys(faults).join(', ')}
  --help               this text
`

const OPTIONS = {
  filter: { type: 'string', default: '' },
  reduced: { type: 'boolean', default: false },
  seed: { type: 'string', default: '1' },
  list: { type: 'boolean', default: false },
  'inject-fault': { type: 'string' },
  help: { type: 'boolean', default: false }
}

async function main ({ filter, reduced, seed, list, help, 'inject-fault': fault }) {
  if (help) return console.log(HELP)
  const cells = allCells(filter.split(',').filter(Boolean))
  if (cells.length === 0) throw new TypeError(`no cell has "${filter}" in its name; --list shows them`)
  const chosen = reduced ? reduce(cells, createRandom(Number(seed))) : cells
  if (list) return console.log(chosen.map(({ name }) => name).join('\n'))
  const begin = performance.now()
  const { found, once } = await require('./run')(chosen, fault === undefined ? null : faults[fault])
  console.log(reportText({ cells: chosen.length, found, once, seconds: (performance.now() - begin) / 1000 }))
  process.exit(found.length === 0 ? 0 : 1)
}

function readOptions () {
  const { values } = parseArgs({ options: OPTIONS })
  if (!/^\d+$/.test(values.seed)) throw new TypeError(`--seed must be a whole number, not "${values.seed}"`)
  const fault = values['inject-fault']
  if (fault !== undefined && !Object.hasOwn(faults, fault)) throw new TypeError(`--inject-fault must be one of ${Object.keys(faults).join(', ')}, not "${fault}"`)
  return values
}

Promise.resolve().then(() => main(readOptions())).catch((error) => {
  console.error(error instanceof TypeError ? error.message : error)
  process.exit(2)
})
