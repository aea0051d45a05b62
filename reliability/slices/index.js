'use strict'

// npm run fuzz:slices: random documents, cut anywhere, against JSON.parse.

const { readArguments, HELP } = require('./arguments')
const createJudge = require('./judge')
const planted = require('./plant')
const run = require('./run')
const { figuresText, findingText } = require('./words')

const TELL_EVERY = 10_000 // ms

async function main () {
  const { documents, seed, plant, help } = readArguments(process.argv.slice(2))
  if (help) return console.log(HELP)
  console.log(`--seed=${seed}`)
  let told = performance.now()
  const judge = createJudge(plant === null ? undefined : planted[plant])
  const { figures, finding, seconds } = await run({ documents, seed, judge }, (figures) => {
    if (performance.now() - told < TELL_EVERY) return
    told = performance.now()
    process.stderr.write(`${figures.documents.toLocaleString('en')} documents\n`)
  })
  console.log(figuresText(figures, seed, seconds))
  if (finding !== null) {
    console.log(findingText(finding, plant))
    process.exitCode = 1
  }
}

main().catch((error) => {
  console.error(`fuzz:slices: ${error.message}`)
  process.exitCode = 2
})
