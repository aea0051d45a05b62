'use strict'

// Runs the cases of seed after seed, one at a time, until one differs.

process.env.NO_DEPRECATION = 'http-errors' // warns of the odd statuses that `verify` gives
process.removeAllListeners('warning') // odd limits such as '1zb' are intended

const fc = require('fast-check')
const oracle = require('body-parser')
const { withFault } = require('../faults')
const { anyCase } = require('./generate/case')
const exchange = require('./exchange')
const createJudge = require('./judge')
const { createPlan } = require('./plan')
const { describeDifference, describeEnd } = require('./report')

const BATCH = 100 // cases of one seed
const SHRINKING = 30_000 // ms at most
const EXAMPLES = 3 // of unsteady cases

/** Carries a verdict out of a property of fast-check. */
class Difference extends Error {
  constructor (verdict) {
    super('differs')
    this.verdict = verdict
  }
}

/**
 * @param {{ cases: number, seed: number, path: string | null, keepGoing: boolean, injectFault: string | null }}
 *   settings
 * @param {(text: string) => void} print
 * @returns {Promise<boolean>} true if there is no difference
 */
module.exports = async function run ({ cases, seed, path, keepGoing, injectFault }, print) {
  const judge = createJudge({ subject: withFault(require('../..'), injectFault), oracle })
  process.on('uncaughtException', exchange.crashed)
  const start = performance.now()
  const tally = { cases: 0, differences: 0, unsteady: [], rules: {}, met: {} }
  // Also after a signal.
  process.once('exit', () => print(describeEnd(tally, { seconds: (performance.now() - start) / 1000, seed })))

  if (path !== null) await runBatch(judge, { seed, numRuns: 1, path }, tally, print)
  for (let done = path === null ? 0 : cases; done < cases; done += BATCH) {
    if (tally.differences > 0 && !keepGoing) break
    const batch = { seed: (seed + done / BATCH) % 2 ** 31, numRuns: Math.min(BATCH, cases - done) }
    await runBatch(judge, batch, tally, print)
  }
  return tally.differences === 0
}

/** Prints a difference. */
async function runBatch (judge, batch, tally, print) {
  const { seed } = batch
  let shrinkUntil = Infinity
  const property = fc.asyncProperty(anyCase, async (generated) => {
    if (performance.now() > shrinkUntil) return
    const verdict = await judge(generated)
    if (shrinkUntil === Infinity) count(tally, verdict, `seed ${seed}`)
    if (verdict.difference === null) return
    if (shrinkUntil === Infinity) shrinkUntil = performance.now() + SHRINKING
    throw new Difference(verdict)
  })
  const { failed, errorInstance, counterexample, counterexamplePath: path } = await fc.check(property, batch)
  if (!failed) return
  if (!(errorInstance instanceof Difference)) throw errorInstance
  tally.differences++
  const { verdict } = errorInstance
  print(describeDifference({ plan: createPlan(counterexample[0]), ...verdict, seed, path }))
}

/** @param {import('./judge').Verdict} verdict */
function count (tally, { rules, ours, unsteady }, where) {
  const increase = (counts, name) => { counts[name] = (counts[name] ?? 0) + 1 }
  tally.cases++
  if (unsteady && tally.unsteady.length < EXAMPLES) tally.unsteady.push(where)
  for (const name of rules) increase(tally.rules, name)
  if (ours.creation !== undefined) increase(tally.met, 'an option that is wrong')
  for (const request of ours.requests) increase(tally.met, resultOf(request))
}

function resultOf ({ steps, hangs }) {
  const step = steps.at(-1)
  if (step === undefined) return 'the code before the parsers never called them'
  if (hangs) return 'no next'
  if (step.thrown !== undefined) return 'thrown'
  if (step.error === 'none') return step.body === 'undefined' ? 'skipped' : 'parsed'
  return step.error.type ?? `${step.error.constructor} without a type`
}
