'use strict'

// npm run fuzz: compares this package with body-parser 2.4.0, by random options
// crossed with random requests over real sockets.
//
// A case (generate/) becomes a plan (plan.js), which is carried out on both
// (exchange.js, observe.js); the outcomes must be the same (judge.js), apart from
// the listed differences (allowed-differences.js). A difference is shrunk, and printed with
// the command that repeats it.

const { oneOf, runCommand, SEED, wholeNumber } = require('../../tools/command-line')
const UserError = require('../../tools/user-error')
const { FAULTS } = require('../faults')

runCommand({
  usage: `Differential fuzzing against body-parser.

  npm run fuzz -- --cases=N --seed=N
  npm run fuzz -- --against=multer     # forms, beside multer
  npm run fuzz -- --against=JSON.parse # arrays that are read item by item

Exit status: 0 if there is no difference, 1 if there is one, 2 for wrong options.
`,
  options: {
    cases: { value: 'N', read: wholeNumber(1, 1e9), default: 10_000, help: 'how many' },
    seed: { ...SEED, help: 'of the first 100 cases, the next 100 have N + 1; by default from the clock' },
    path: { value: 'P', read: casePath, help: 'one case again, as a report names it; needs its --seed' },
    'keep-going': { help: 'do not stop at the first difference' },
    'inject-fault': { value: 'NAME', read: oneOf(FAULTS), help: `that must be found, one of ${FAULTS.join(', ')}` }
  },
  failureStatus: 2,
  async run ({ values, given }) {
    if (given.has('path') && !given.has('seed')) throw new UserError('--path needs the --seed that was printed with it')
    const isSame = await require('./run')(values, (text) => process.stdout.write(`${text}\n`))
    process.exit(isSame ? 0 : 1) // a parser that hangs may have left something open
  }
})

/** A single case of a seed, as fast-check names it. */
function casePath (text) {
  if (/^\d+(:\d+)*$/.test(text)) return text
  throw new UserError(`must be numbers with colons between, not ${JSON.stringify(text)}`)
}
