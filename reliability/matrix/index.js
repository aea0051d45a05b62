'use strict'

// npm run matrix: what if other code acts on a request while it is parsed?

const { oneOf, runCommand, wholeNumber } = require('../../tools/command-line')
const { createRandom } = require('../../tools/random')
const UserError = require('../../tools/user-error')
const { FAULTS } = require('../faults')
const { allCells, reduce } = require('./request/cells')
const { reportText } = require('./report')

runCommand({
  usage: `npm run matrix -- [options]

Every lane x every step x every act, over HTTP/1.1 and HTTP/2: other code
destroys, pauses or answers a request while it is parsed. Each cell is run with
this package, and with body-parser where it has such a lane. \`next\` must be
called once, and not within destroy() or an 'aborted' event; nothing may be
uncaught; a response can be begun in \`next\`; no timer, listener or byte of a
budget is left; and the outcome is that of body-parser, if it keeps to the same.
Exit status: 0 if so, 1 if not, 2 for wrong options.
`,
  options: {
    filter: { value: 'WORDS', default: '', help: 'only cells whose names contain all of these, as in "HTTP/2,gzip,req.destroy()"' },
    reduced: { help: 'some cells that have every pair of lane, step and act' },
    seed: { value: 'N', read: wholeNumber(0, 2 ** 31 - 1), default: 1, help: 'chooses these cells' },
    list: { help: 'print the names of the cells, and run none' },
    'inject-fault': { value: 'NAME', read: oneOf(FAULTS), help: `that must be found, one of ${FAULTS.join(', ')}` }
  },
  failureStatus: 2,
  async run ({ values: { filter, reduced, seed, list, injectFault } }) {
    const cells = allCells(filter.split(',').filter(Boolean))
    if (cells.length === 0) throw new UserError(`no cell has "${filter}" in its name; --list shows them`)
    const chosen = reduced ? reduce(cells, createRandom(seed)) : cells
    if (list) return console.log(chosen.map(({ name }) => name).join('\n'))
    const begin = performance.now()
    const { found, once } = await require('./request/run')(chosen, injectFault)
    console.log(reportText({ cells: chosen.length, found, once, seconds: (performance.now() - begin) / 1000 }))
    process.exit(found.length === 0 ? 0 : 1)
  }
})
