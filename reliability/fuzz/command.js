'use strict'

// The command line of all fuzzers.

const { oneOf, runCommand, SEED, wholeNumber } = require('../../tools/command-line')
const UserError = require('../../tools/user-error')

/** @param {import('./run').Side} side */
module.exports = function fuzz (side) {
  const { cases, faults, usage } = side
  runCommand({
    usage: `${usage}
A difference is shrunk, and printed with the command that repeats it.
Exit status: 0 if there is none but the listed ones, 1 if there is one, 2 for wrong options.
`,
    options: {
      cases: { value: 'N', read: wholeNumber(1, 1e9), default: cases, help: 'how many' },
      seed: { ...SEED, help: 'of the first 100 cases, the next 100 have N + 1; by default from the clock' },
      path: { value: 'P', read: casePath, help: 'one case again, as a report names it; needs its --seed' },
      'keep-going': { help: 'do not stop at the first difference' },
      'inject-fault': { value: 'NAME', read: oneOf(faults), help: `that must be found, one of ${faults.join(', ')}` }
    },
    async run ({ values, given }) {
      const lacksSeed = given.has('path') && !given.has('seed')
      if (lacksSeed) throw new UserError('--path needs the --seed that was printed with it')
      const { differences } = await require('./run')(side, values, (text) => process.stdout.write(`${text}\n`))
      process.exit(differences === 0 ? 0 : 1) // a parser that hangs may have left something open
    }
  })
}

/** A single case of a seed, as fast-check names it. */
function casePath (text) {
  if (/^\d+(:\d+)*$/.test(text)) return text
  throw new UserError(`must be numbers with colons between, not ${JSON.stringify(text)}`)
}
