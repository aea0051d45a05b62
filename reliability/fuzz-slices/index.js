'use strict'

// npm run fuzz:slices: random documents, cut anywhere, against JSON.parse.

const { runCommand } = require('../../tools/command-line')
const { requireSeed } = require('../fuzz/options')
const faults = require('./faults')
const createJudge = require('./judge')
const options = require('./options')
const { figuresText, findingText } = require('./report')
const run = require('./run')

const PROGRESS = 10_000 // ms

runCommand({
  usage: `npm run fuzz:slices -- [options]

Parses random documents in slices (lib/slices/), each cut at places of its own,
from one byte up, and compares the result with that of JSON.parse: the value
with the order of its keys, or the message of the error.
Exit status: 0 if all are the same, 1 if not, 2 for wrong options.
`,
  options,
  failureStatus: 2,
  run: main
})

async function main ({ values: { documents, seed, path, injectFault }, given }) {
  requireSeed(given)
  console.log(`--seed=${seed}`)
  let shown = performance.now()
  const judge = createJudge(injectFault === null ? undefined : faults[injectFault])
  const { figures, finding, seconds } = await run({ documents, seed, path, judge }, (figures) => {
    if (performance.now() - shown < PROGRESS) return
    shown = performance.now()
    process.stderr.write(`${figures.documents.toLocaleString('en')} documents\n`)
  })
  console.log(figuresText(figures, seed, seconds))
  if (finding !== null) {
    console.log(findingText(finding, injectFault))
    process.exitCode = 1
  }
}
