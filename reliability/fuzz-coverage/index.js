'use strict'

// npm run fuzz:coverage: inputs that are led by the code that they reach in lib/.

const fs = require('node:fs')
const path = require('node:path')
const { runCommand } = require('../../tools/command-line')
const { ensurePackages } = require('../../tools/npm')
const UserError = require('../../tools/user-error')
const faults = require('./faults')
const { writeInput } = require('./files')
const fuzz = require('./fuzz')
const options = require('./options')
const { figuresText, findingText } = require('./report')
const { fileOf } = require('./target')

const CORPUS = path.join(__dirname, '.corpus')
const FINDINGS = path.join(__dirname, '.findings')
const PROGRESS = 10_000 // ms

runCommand({
  usage: `npm run fuzz:coverage -- [options]

Runs parts of lib/ on mutants of inputs that reached new code in it, and
compares each answer with that of body-parser, qs or zlib.
Exit status: 0 if all answers are right, 1 if not, 2 for wrong options.
`,
  options,
  failureStatus: 2,
  async run ({ values }) {
    const { filter: targets, input, injectFault } = values
    if (input !== null && targets.length !== 1) throw new UserError('--input needs --filter with one target')
    ensurePackages(__dirname)
    const fault = injectFault === null ? undefined : faults[injectFault]
    if (input !== null) await runOnce(targets[0], input, fault)
    else await runAll(values, fault)
  }
})

async function runOnce (name, input, fault) {
  const { finding } = await fuzz({ file: fileOf(name), seed: 1, input: fs.readFileSync(input), fault })
  console.log(finding === null ? `${name}: the answer is right` : `${name}: ${finding.text}`)
  process.exitCode = finding === null ? 0 : 1
}

async function runAll ({ filter: targets, seconds, runs, seed, fresh, injectFault }, fault) {
  console.log(`--seed=${seed}`)
  for (const name of targets) {
    const start = performance.now()
    let shown = start
    // Inputs that an injected fault led to are of no use for other runs.
    const corpus = fresh || fault !== undefined ? undefined : path.join(CORPUS, name)
    const result = await fuzz({ file: fileOf(name), seed, seconds, runs, corpus, fault }, (figures) => {
      if (performance.now() - shown < PROGRESS) return
      shown = performance.now()
      process.stderr.write(`${figuresText(name, figures, (shown - start) / 1000)}\n`)
    })
    console.log(figuresText(name, result.figures, result.seconds))
    if (result.finding !== null) {
      console.log(findingText(name, result.finding, writeInput(FINDINGS, `${name}-`, result.finding.bytes), injectFault))
      process.exitCode = 1
    }
  }
}
