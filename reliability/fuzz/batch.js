'use strict'

// Runs the cases of one seed, one after the other, until one of them differs.

const fc = require('fast-check')
const { anyCase } = require('./generate/case')
const { createPlan } = require('./plan')
const { describeDifference, describeSeen } = require('./report')
const Tally = require('./tally')

const SHRINKING = 30_000 // ms at most

/** Carries a verdict out of a property. */
class Difference extends Error {
  constructor (verdict) {
    super('differs')
    this.verdict = verdict
  }
}

/**
 * @param {(generated: object) => Promise<import('./judge').Verdict>} judge
 * @param {object} batch
 * @param {number} batch.seed
 * @param {number} batch.cases
 * @param {string} [batch.path] of one case
 * @returns {Promise<{ tally: Tally, difference: string | null, seen?: string | null }>}
 *   `seen` describes the case of a path that does not differ
 */
async function runBatch (judge, { seed, cases, path }) {
  const tally = new Tally()
  let shrinkUntil = Infinity
  let seen // of the first case

  const property = fc.asyncProperty(anyCase, async (generated) => {
    if (performance.now() > shrinkUntil) return
    const verdict = await judge(generated)
    seen ??= { plan: createPlan(generated), ...verdict, seed, path }
    if (shrinkUntil === Infinity) {
      if (verdict.unsteady) tally.countUnsteady(`seed ${seed}, path ${path ?? tally.cases}`)
      tally.count(verdict)
    }
    if (verdict.difference === null) return
    if (shrinkUntil === Infinity) shrinkUntil = performance.now() + SHRINKING
    throw new Difference(verdict)
  })

  const result = await fc.check(property, { seed, numRuns: cases, path })
  if (!result.failed) return { tally, difference: null, seen: path === undefined ? null : describeSeen(seen) }
  const { errorInstance, counterexamplePath } = result
  if (!(errorInstance instanceof Difference)) throw errorInstance
  tally.differences++
  const { difference, unsteady } = errorInstance.verdict
  const plan = createPlan(result.counterexample[0])
  return { tally, difference: describeDifference({ plan, difference, unsteady, seed, path: counterexamplePath }) }
}

module.exports = runBatch
