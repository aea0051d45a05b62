'use strict'

// npm run matrix: what if other code acts on a request while it is parsed? What
// if the app does something unusual with what a parser has given it?

const { oneOf, runCommand, wholeNumber } = require('../../tools/command-line')
const { createRandom } = require('../../tools/random')
const UserError = require('../../tools/user-error')
const { allCells, PAIRS, SAMPLE } = require('./cells')
const FAULTS = require('./faults')
const { reduce } = require('./product')

const NAMES = Object.keys(FAULTS)
const SHOWN = 6 // cells of a kind

runCommand({
  usage: `npm run matrix -- [options]

Cells \`parsing\` a request: other code destroys, pauses or answers it. \`next\` must
be called once, and not within destroy() or an 'aborted' event; nothing may be
uncaught, and no timer, listener, file or byte of a budget left; the body is whole,
or there is an error that says what it is: that of body-parser, where it has such a
lane. Cells \`given\` a file, a part, a loop, or an argument: what an app does with
it, while its client does something of its own. It reads exactly what was sent, or
gets an error, or has chosen to stop.

Exit status: 0 if so, 1 if not, 2 for wrong options.
`,
  options: {
    filter: {
      value: 'WORDS',
      default: '',
      help: 'only cells whose names have all of these, as in "parsing,HTTP/2,gzip,pause"'
    },
    reduced: { help: 'some cells that have every pair, such as one of a lane and an act' },
    sample: { help: 'fewer cells, which have every lane and every act' },
    seed: { value: 'N', read: wholeNumber(0, 2 ** 31 - 1), default: 1, help: 'chooses the cells of these two' },
    all: { help: 'name all cells with a fault, instead of some of each kind' },
    list: { help: 'print the names of the cells, and run none' },
    'inject-fault': { value: 'NAME', read: oneOf(NAMES), help: `that must be found, one of ${NAMES.join(', ')}` }
  },
  async run ({ values: { all, filter, reduced, sample, seed, list, injectFault } }) {
    const cells = allCells(filter.split(',').filter(Boolean))
    const pairs = sample ? SAMPLE : reduced ? PAIRS : null
    const chosen = pairs === null ? cells : reduce(cells, pairs, createRandom(seed))
    if (chosen.length === 0) throw new UserError(`no cell has "${filter}" in its name; --list shows them`)
    require('../../test/support/quiet-warnings') // parsers of many cells cause them
    if (list) return console.log(chosen.map(({ name }) => name).join('\n'))
    const run = require('./run') // loads the parsers
    const begin = performance.now()
    const result = await run(chosen, injectFault)
    const seconds = (performance.now() - begin) / 1000
    console.log(reportText({ cells: chosen.length, ...result, seconds, showsAll: all }))
    process.exit(result.found.length === 0 ? 0 : 1)
  }
})

/** Each kind of fault with some of its cells, or all of them, the most frequent first. */
function reportText ({ cells, found, once, seconds, showsAll }) {
  const kinds = new Map()
  for (const suspect of found) {
    for (const fault of suspect.faults) {
      const kind = fault.replace(/\d+ (bytes|timers)/, 'N $1')
      kinds.set(kind, [...kinds.get(kind) ?? [], suspect])
    }
  }
  if (once.length > 0) kinds.set('a fault that was not seen again', once)
  const sorted = [...kinds].sort(([, one], [, other]) => other.length - one.length)
  return [
    ...sorted.flatMap(([kind, suspects]) => [
      `${suspects.length} x ${kind}`,
      ...suspects.slice(0, showsAll ? Infinity : SHOWN).map(({ cell, again }) => `    ${cell.name} (${again})`)
    ]),
    `${cells} cells in ${seconds.toFixed(0)} s, ${found.length} with faults`
  ].join('\n')
}
