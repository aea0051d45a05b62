'use strict'

// npm run fuzz:coverage: inputs that are led by what they reach in lib/.

const fs = require('node:fs')
const path = require('node:path')
const { readArguments, HELP } = require('./arguments')
const { writeInput } = require('./files')
const fuzz = require('./fuzz')
const { install } = require('./install')
const planted = require('./plant')
const { fileOf } = require('./target')
const { figuresText, findingText } = require('./words')

const CORPUS = path.join(__dirname, '.corpus')
const FINDINGS = path.join(__dirname, '.findings')
const TELL_EVERY = 10_000 // ms

async function main () {
  const settings = readArguments(process.argv.slice(2))
  if (settings.help) return console.log(HELP)
  install()
  const plant = settings.plant === null ? undefined : planted[settings.plant]
  if (settings.input !== null) await runOnce(settings, plant)
  else await runAll(settings, plant)
}

async function runOnce ({ targets: [name], input }, plant) {
  const { finding } = await fuzz({ file: fileOf(name), seed: 1, input: fs.readFileSync(input), plant })
  console.log(finding === null ? `${name}: the answer is right` : `${name}: ${finding.text}`)
  process.exitCode = finding === null ? 0 : 1
}

async function runAll ({ targets, seconds, runs, seed, fresh, plant: plantName }, plant) {
  console.log(`--seed=${seed}`)
  for (const name of targets) {
    const begun = performance.now()
    let told = begun
    // What a planted fault has led to is no input for other runs.
    const corpus = fresh || plant !== undefined ? undefined : path.join(CORPUS, name)
    const result = await fuzz({ file: fileOf(name), seed, seconds, runs, corpus, plant }, (figures) => {
      if (performance.now() - told < TELL_EVERY) return
      told = performance.now()
      process.stderr.write(`${figuresText(name, figures, (told - begun) / 1000)}\n`)
    })
    console.log(figuresText(name, result.figures, result.seconds))
    if (result.finding !== null) {
      console.log(findingText(name, result.finding, writeInput(FINDINGS, `${name}-`, result.finding.bytes), plantName))
      process.exitCode = 1
    }
  }
}

main().catch((error) => {
  console.error(`fuzz:coverage: ${error.message}`)
  process.exitCode = 2
})
