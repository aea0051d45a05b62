'use strict'

// npm run fuzz -- --against=JSON.parse: random arrays in random pieces, read item by item.

const { number, oneOf, runCommand, SEED } = require('../../tools/command-line')
const FAULTS = require('./faults')

runCommand({
  usage: `npm run fuzz -- --against=JSON.parse [options]

Reads random JSON arrays, half of them broken, some below a path, some not
UTF-8, in random pieces, item by item, and compares that with JSON.parse of the
whole text: the items; or the items before the error, its message and the byte
that it names.
Exit status: 0 if there is no difference, 1 if there is one, 2 for wrong options.
`,
  options: {
    cases: { value: 'N', read: number(1, 1e9), default: 100_000, help: 'how many' },
    seed: SEED,
    'inject-fault': {
      value: 'NAME',
      read: oneOf(Object.keys(FAULTS)),
      help: `that must be found, one of ${Object.keys(FAULTS).join(', ')}`
    }
  },
  failureStatus: 2,
  run ({ values: { cases, injectFault, seed } }) {
    const { broken, difference, refused } = require('./run')(cases, seed, injectFault)
    console.log(`${cases} cases, --seed=${seed}: ${broken} are not JSON, ${refused} have no array where the path leads`)
    if (difference !== null) console.log(`\nDIFFERENCE\n${difference}`)
    process.exitCode = difference === null ? 0 : 1
  }
})
