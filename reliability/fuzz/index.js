'use strict'

// npm run fuzz: random requests through this package and through what it replaces.

const { oneOf, runCommand, SEED, wholeNumber } = require('../../tools/command-line')
const UserError = require('../../tools/user-error')

const SIDES = {
  'body-parser': require('./side'),
  multer: require('../forms/multer'),
  sent: require('../forms/sent'),
  'JSON.parse': require('../json-array')
}

runCommand({
  usage: `npm run fuzz -- [--against=NAME] [options]

Draws requests and options, and compares what comes of them:
${Object.entries(SIDES).map(([name, { what }]) => `\n${name}: ${what}`).join('\n')}

A difference is shrunk, and printed with the command that repeats it.
Exit status: 0 if there is none but the listed ones, 1 if there is one, 2 for wrong options.
`,
  options: {
    against: { value: 'NAME', read: oneOf(Object.keys(SIDES)), default: 'body-parser', help: 'one of these' },
    cases: { value: 'N', read: wholeNumber(1, 1e9), help: 'how many; by default as many as take some minutes' },
    seed: { ...SEED, help: 'of the first 100 cases, the next 100 have N + 1; by default from the clock' },
    path: { value: 'P', read: casePath, help: 'one case again, as a report names it; needs its --seed' },
    'keep-going': { help: 'do not stop at the first difference' },
    'inject-fault': { value: 'NAME', help: 'that must be found; a wrong name lists them' }
  },
  async run ({ values: { against, cases, injectFault, ...values }, given }) {
    const side = SIDES[against]
    if (given.has('path') && !given.has('seed')) throw new UserError('--path needs the --seed that was printed with it')
    if (injectFault !== null && !side.faults.includes(injectFault)) {
      throw new UserError(`--inject-fault must be one of ${side.faults.join(', ')}, not "${injectFault}"`)
    }
    const settings = { ...values, cases: cases ?? side.cases, injectFault }
    const { differences } = await require('./run')(side, settings, (text) => process.stdout.write(`${text}\n`))
    process.exit(differences === 0 ? 0 : 1) // a parser that hangs may have left something open
  }
})

/** A single case of a seed, as fast-check names it. */
function casePath (text) {
  if (/^\d+(:\d+)*$/.test(text)) return text
  throw new UserError(`must be numbers with colons between, not ${JSON.stringify(text)}`)
}
