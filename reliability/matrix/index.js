'use strict'

// npm run matrix: what if other code acts on a request while it is parsed? What
// if the app does something unusual with what a parser has given it?

const { oneOf, runCommand, wholeNumber } = require('../../tools/command-line')
const { createRandom } = require('../../tools/random')
const UserError = require('../../tools/user-error')
const { reduce } = require('./product')
const { reportText } = require('./report')

/** @type {Record<string, { cells: object, faults: string[], run: () => Function }>} `run` loads the parsers */
const HALVES = {
  request: {
    cells: require('./request/cells'),
    faults: require('../faults').faultsBut('limit', 'listener'), // bodies are far from limits; a listener not of lib/
    run: () => require('./request/run')
  },
  app: {
    cells: require('./app/cells'),
    faults: require('./app/faults').FAULTS,
    run: () => require('./app/run')
  }
}
const FAULTS = Object.values(HALVES).flatMap(({ faults }) => faults)

runCommand({
  usage: `npm run matrix -- [options]

Half \`request\`: every lane x every step x every act, over HTTP/1.1 and HTTP/2:
other code destroys, pauses or answers a request while it is parsed. Each cell is
run with this package, and with body-parser or multer where that has such a lane.
\`next\` must be called once, and not within destroy() or an 'aborted' event; nothing
may be uncaught; a response can be begun in \`next\`; no timer, listener, file or
byte of a budget is left; and the outcome is that of the other one, if it keeps to
the same.

Half \`app\`: what an app does with a file, a part, a loop, or in a function that a
parser calls, at every time, while its client does something of its own. The app
reads exactly what was sent, or gets an error, or has chosen to stop; everything
settles, once; nothing is uncaught, and nothing is left.

Exit status: 0 if so, 1 if not, 2 for wrong options.
`,
  options: {
    half: { value: 'NAME', read: oneOf(Object.keys(HALVES)), help: `only one, ${Object.keys(HALVES).join(' or ')}` },
    filter: {
      value: 'WORDS',
      default: '',
      help: 'only cells whose names have all of these, as in "HTTP/2,gzip,pause"'
    },
    reduced: { help: 'some cells that have every pair, such as one of a lane and an act' },
    sample: { help: 'fewer cells, which have every lane and every act' },
    seed: { value: 'N', read: wholeNumber(0, 2 ** 31 - 1), default: 1, help: 'chooses the cells of these two' },
    all: { help: 'name all cells with a fault, instead of some of each kind' },
    list: { help: 'print the names of the cells, and run none' },
    'inject-fault': { value: 'NAME', read: oneOf(FAULTS), help: `that must be found, one of ${FAULTS.join(', ')}` }
  },
  async run ({ values: { all, half, filter, reduced, sample, seed, list, injectFault } }) {
    const words = filter.split(',').filter(Boolean)
    const random = createRandom(seed)
    const chosen = []
    for (const [name, { cells: { allCells, PAIRS, SAMPLE }, faults, run }] of Object.entries(HALVES)) {
      if ((half ?? name) !== name || (injectFault !== null && !faults.includes(injectFault))) continue
      const cells = allCells(words)
      const pairs = sample ? SAMPLE : reduced ? PAIRS : null
      if (cells.length > 0) chosen.push({ cells: pairs === null ? cells : reduce(cells, pairs, random), run })
    }
    if (chosen.length === 0) throw new UserError(`no cell has "${filter}" in its name; --list shows them`)
    require('../../test/support/quiet-warnings') // parsers of many cells cause them
    if (list) return console.log(chosen.flatMap(({ cells }) => cells.map(({ name }) => name)).join('\n'))
    let failed = 0
    for (const { cells, run } of chosen) {
      const begin = performance.now()
      const result = await run()(cells, injectFault)
      const seconds = (performance.now() - begin) / 1000
      console.log(reportText({ cells: cells.length, ...result, seconds, showsAll: all }))
      failed += result.found.length
    }
    process.exit(failed === 0 ? 0 : 1)
  }
})
