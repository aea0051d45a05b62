'use strict'

// npm run fuzz:multer: random forms, options, filters and engines, through
// multer and through fast-body-parser/multer.

const { number, runCommand, SEED } = require('../../tools/command-line')

runCommand({
  usage: `npm run fuzz:multer -- [options]

Sends random forms to random routes of multer and of fast-body-parser/multer,
and compares what an app sees: fields, files, errors, and what is left on the
disk. Prints each class of the differences that are meant, with an example.
Exit status: 0 if there are no others, 1 if there are, 2 for wrong options.
`,
  options: {
    cases: { value: 'N', read: number(1, 1e6), default: 2000, help: 'how many' },
    seed: SEED
  },
  failureStatus: 2,
  async run ({ values: { cases, seed } }) {
    const { found, unexplained } = await require('./run')(cases, seed)
    console.log(`${cases} cases, --seed=${seed}`)
    for (const { sentence, count, example } of found) console.log(`\n${count}: ${sentence}\n${example}`)
    for (const example of unexplained) console.log(`\nNOT EXPLAINED\n${example}`)
    console.log(`\n${unexplained.length} differences that are not meant`)
    process.exitCode = unexplained.length === 0 ? 0 : 1
  }
})
