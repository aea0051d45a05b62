'use strict'

// npm run fuzz: compares this package with body-parser 2.4.0, by random options
// crossed with random requests over real sockets.
//
// A case (generate/) becomes a plan (plan.js), which is carried out on both
// (exchange.js, observe.js); the outcomes must be the same (judge.js), apart from
// the listed differences (allowed-differences.js). A difference is shrunk, and printed with
// the command that repeats it.

const { runCommand } = require('../../tools/command-line')
const { options, requireSeed } = require('./options')

runCommand({
  usage: `Differential fuzzing against body-parser.

  npm run fuzz -- --cases=N --seed=N

Exit status: 0 if there is no difference, 1 if there is one, 2 for wrong options.
`,
  options,
  failureStatus: 2,
  async run ({ values, given }) {
    requireSeed(given)
    const run = require('./run')
    const isSame = await run(values, (text) => process.stdout.write(`${text}\n`))
    process.exit(isSame ? 0 : 1) // a parser that hangs may have left something open
  }
})
