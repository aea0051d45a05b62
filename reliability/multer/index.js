'use strict'

// npm run fuzz -- --against=multer: random forms, options, filters and engines, through
// multer and through fast-body-parser/multer.

const { number, oneOf, runCommand, SEED } = require('../../tools/command-line')
const { FAULTS } = require('./faults')

runCommand({
  usage: `npm run fuzz -- --against=multer [options]

Sends random forms to random routes of multer and of fast-body-parser/multer,
and compares what an app sees: fields, files, errors, and what is left on the
disk. Differences that are meant belong to a class, of one sentence: multer is
asked about the same form in other words, or about the parts before an error,
and what it makes of that must be what is seen. Prints each class with its
shortest example; a case may need several of them.
Exit status: 0 if there are no other differences, 1 if there are, 2 for wrong
options.
`,
  options: {
    cases: { value: 'N', read: number(1, 1e6), default: 2000, help: 'how many' },
    seed: SEED,
    'inject-fault': { value: 'NAME', read: oneOf(FAULTS), help: `that must be found, one of ${FAULTS.join(', ')}` }
  },
  failureStatus: 2,
  async run ({ values: { cases, injectFault, seed } }) {
    const { differing, found, unexplained } = await require('./run')(cases, seed, injectFault)
    console.log(`${cases} cases, --seed=${seed}: ${differing} differ`)
    for (const { sentence, count, example } of found) console.log(`\n${count}: ${sentence}\n${example}`)
    for (const example of unexplained) console.log(`\nNOT EXPLAINED\n${example}`)
    console.log(`\n${unexplained.length} differences that are not meant`)
    process.exitCode = unexplained.length === 0 ? 0 : 1
  }
})
