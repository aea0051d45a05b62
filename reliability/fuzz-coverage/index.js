'use strict'

// npm run fuzz:coverage: inputs that are guided by the code of lib/ which they
// reach.

const fs = require('node:fs')
const path = require('node:path')
const { runCommand } = require('../../tools/command-line')
const { ensurePackages } = require('../../tools/npm')
const faults = require('./faults')
const { writeInput } = require('./files')
const fuzz = require('./fuzz')
const { options, requireOneTarget } = require('./options')
const { figuresText, findingText } = require('./report')
const { fileOf } = require('./target')

const CORPUS = path.join(__dirname, '.corpus')
const FINDINGS = path.join(__dirname, '.findings')
const PROGRESS = 10_000 // ms

runCommand({
  usage: `npm run fuzz:coverage -- [options]

Runs parts of lib/ on inputs that are made from those which reached new code or
ran it more often, and compares each result with that of body-parser, qs or zlib.
Exit status: 0 if all are the same, 1 if not, 2 for wrong options.
`,
  options,
  failureStatus: 2,
  async run ({ values }) {
    requireOneTarget(values)
    ensurePackages(__dirname)
    const fault = values.injectFault === null ? undefined : faults[values.injectFault]
    if (values.input !== null) await runOnce(values, fault)
    else await runAll(values, fault)
  }
})

async function runOnce ({ filter: [name], input }, fault) {
  const { finding } = await fuzz({ file: fileOf(name), seed: 1, input: fs.readFileSync(input), fault })
  console.log(finding === null ? `${name}: no difference` : `${name}: ${finding.text}`)
  process.exitCode = finding === null ? 0 : 1
}

async function runAll ({ filter, seconds, runs, seed, fresh, injectFault }, fault) {
  console.log(`--seed=${seed}`)
  for (const name of filter) {
    const begun = performance.now()
    let shown = begun
    // Inputs that an injected fault has led to are of no use to other runs.
    const corpus = fresh || fault !== undefined ? undefined : path.join(CORPUS, name)
    const result = await fuzz({ file: fileOf(name), seed, seconds, runs, corpus, fault }, (figures) => {
      if (performance.now() - shown < PROGRESS) return
      shown = performance.now()
      process.stderr.write(`${figuresText(name, figures, (shown - begun) / 1000)}\n`)
    })
    console.log(figuresText(name, result.figures, result.seconds))
    if (result.finding !== null) {
      console.log(findingText(name, result.finding, writeInput(FINDINGS, `${name}-`, result.finding.bytes), injectFault))
      process.exitCode = 1
    }
  }
}
