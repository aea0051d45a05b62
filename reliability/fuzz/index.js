'use strict'

// Holds this package against body-parser 2.4.0: random options, crossed with
// random requests over real sockets.
//
//   npm run fuzz -- --cases=1000000 --seed=1 --jobs=2
//
// A case (generate/) becomes a plan (plan.js), which is carried out on both
// (exchange.js, observe.js); the outcomes must be the same (judge.js), but for
// what the README lists (known.js). What differs is made as small as it goes,
// and printed as a row for the tests, with what brings it back. The exit status
// is 1 then, and 2 for a wrong flag.

const { helpText, readArguments, WrongFlag } = require('./arguments')
const supervise = require('./supervise')

async function main () {
  const settings = readArguments(process.argv.slice(2))
  if (settings.help) {
    process.stdout.write(`Differential fuzzing against body-parser.\n\n  npm run fuzz -- --cases=N --seed=S\n\n${helpText()}`)
    return
  }
  const isWell = await supervise(settings, (text) => process.stdout.write(`${text}\n`))
  process.exitCode = isWell ? 0 : 1
}

process.stdout.on('error', () => process.exit(1)) // nobody reads any more

main().catch((error) => {
  process.stderr.write(error instanceof WrongFlag ? `error: ${error.message}\n` : `${error.stack}\n`)
  process.exit(error instanceof WrongFlag ? 2 : 1)
})
