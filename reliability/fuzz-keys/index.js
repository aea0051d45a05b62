'use strict'

// npm run fuzz:keys: random keys with escapes, in an engine that is poisoned.

const { inspect } = require('node:util')
const { oneOf, runCommand, SEED, wholeNumber } = require('../../tools/command-line')
const { createRandom } = require('../../tools/random')
const faults = require('./faults')
const createTexts = require('./generate')
const createJudge = require('./judge')

const FAULTS = Object.keys(faults)

const options = {
  texts: { value: 'N', read: wholeNumber(1, 1e9), default: 10_000, help: 'how many' },
  seed: { ...SEED, help: 'of all texts; by default from the clock' },
  'inject-fault': { value: 'NAME', read: oneOf(FAULTS), help: `that must be found, one of ${FAULTS.join(', ')}` }
}

runCommand({
  usage: `npm run fuzz:keys -- [options]

Parses random JSON whose keys have escapes, whole and in slices, each text after
another that makes V8 of Node 24 and 26 confuse its keys, and compares the value
with that of a parser which never calls JSON.parse.
Exit status: 0 if all are the same, 1 if not, 2 for wrong options.
`,
  options,
  failureStatus: 2,
  run: main
})

async function main ({ values: { texts, seed, injectFault } }) {
  console.log(`--seed=${seed}`)
  const start = performance.now()
  const random = createRandom(seed)
  const draw = createTexts(random)
  const judge = createJudge(random, faults[injectFault])
  let engine = 0
  for (let done = 1; done <= texts; done++) {
    const drawn = draw()
    const verdict = await judge(drawn)
    if (verdict.engine) engine++
    if (verdict.difference !== null) {
      console.log(`text ${done} of seed ${seed} is WRONG, ${describe(drawn, verdict.difference)}`)
      process.exitCode = 1
      return
    }
  }
  const count = (number) => number.toLocaleString('en')
  console.log(`${count(texts)} texts from seed ${seed}, 0 wrong; JSON.parse was wrong in ${count(engine)}; ${((performance.now() - start) / 1000).toFixed(1)} s on Node ${process.versions.node}`)
}

function describe ({ text, poison }, { way, ours, truth }) {
  const show = (value) => inspect(value, { depth: 20, breakLength: Infinity, compact: true })
  return [`parsed ${way}`, `text:   ${text}`, `after:  ${poison}`, `ours:   ${show(ours)}`, `truth:  ${show(truth)}`].join('\n')
}
