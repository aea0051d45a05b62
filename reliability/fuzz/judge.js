'use strict'

// Finds differences that docs/differences.md does not list.

const exchange = require('./exchange')
const { explain } = require('./allowed-differences')
const { createPlan, together } = require('./message')

// ms; short at first, as some cases are known to hang body-parser.
const FIRST = { timeout: 3000, linger: 60 }
const CLOSER = { timeout: 2000, linger: 500 }

const AGAIN = 3 // runs that must all differ

module.exports = ({ subject, oracle }) => async function judge (generated) {
  const run = async (plan, side, time) => comparable(await exchange(plan, side, time))

  /** `difference` is null if there is none, or a rule explains it. */
  async function compare (plan, time, whole) {
    const ours = await run(plan, subject, time)
    const theirs = await run(plan, oracle, time)
    // Outcomes are plain data made by the same code; a comparison node by node is slower.
    const rules = JSON.stringify(ours) === JSON.stringify(theirs) ? [] : explain(ours, theirs, plan, whole)
    return { ours, rules: rules ?? [], difference: rules === null || hangs(ours) ? { ours, theirs } : null }
  }

  const plan = createPlan(generated)
  const first = await compare(plan, FIRST)
  if (first.difference === null) return { ...first, unsteady: false }
  const whole = await run(together(plan), oracle, CLOSER)
  let last
  for (let left = AGAIN; left > 0 && last?.difference !== null; left--) last = await compare(plan, CLOSER, whole)
  return { ...last, unsteady: last.difference === null && last.rules.length === 0 }
}

/**
 * An outcome without what depends on timing: how far the request had been read
 * when `next` was called, for a coded body (zlib has a thread of its own) or for
 * one that was aborted.
 */
function comparable ({ request, ...rest }) {
  const isAccidental = ({ error }) => request.coding !== undefined || error?.type === 'request.aborted'
  const withoutReading = ({ complete, ended, ...step }) => step
  const steps = request?.steps.map((step) => isAccidental(step) ? withoutReading(step) : step)
  return { request: request && { ...request, steps }, ...rest }
}

/** Whether a parser never calls `next`: a fault even where body-parser does not either. */
function hangs ({ crash, request }) {
  return crash === undefined && request?.hangs === true && request.steps.length > 0
}
