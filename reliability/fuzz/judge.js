'use strict'

// Finds differences that docs/differences.md does not list.

const exchange = require('./exchange')
const { explain } = require('./allowed-differences')
const { createMessage } = require('./message')
const { createPlan } = require('./plan')

// ms; short at first, as some cases are known to hang body-parser.
const FIRST = { timeout: 3000, linger: 60 }
const CLOSER = { timeout: 2000, linger: 500 }

const AGAIN = 6 // most runs of both to confirm a difference

/**
 * @typedef {object} Verdict
 * @property {object} ours outcome of this package
 * @property {string[]} rules that explain the differences
 * @property {boolean} unsteady the outcomes vary
 * @property {{ ours: object, theirs: object } | null} difference
 */

/**
 * @param {object} sides
 * @param {object} sides.subject
 * @param {object} sides.oracle
 * @returns {(generated: import('./generate/case').Case) => Promise<Verdict>}
 */
function createJudge ({ subject, oracle }) {
  const run = async (plan, side, time) => comparable(await exchange(plan, side, time))

  return async function judge (generated) {
    const plan = createPlan(generated)
    const { ours, rules } = await compare(plan, FIRST)
    return rules === null || hangs(ours) ? repeat(plan) : { ours, rules, unsteady: false, difference: null }
  }

  async function compare (plan, time, whole) {
    const ours = await run(plan, subject, time)
    const theirs = await run(plan, oracle, time)
    return { ours, theirs, rules: isSame(ours, theirs) ? [] : explain(ours, theirs, plan, whole) }
  }

  /** Runs both several times, with more patience. */
  async function repeat (plan) {
    const whole = await run(together(plan), oracle, CLOSER)
    const pairs = []
    while (pairs.length < AGAIN && !isSteady(pairs)) pairs.push(await compare(plan, CLOSER, whole))
    const found = pairs.filter(({ ours, rules }) => rules === null || hangs(ours))
    const [{ ours, rules }] = pairs
    if (found.length === 0) return { ours, rules, unsteady: rules.length === 0, difference: null }
    const strange = found.find(({ ours }) => hangs(ours) || !pairs.some(({ theirs }) => isSame(ours, theirs)))
    if (strange === undefined) return { ours, rules: [], unsteady: true, difference: null }
    return { ours, rules: [], unsteady: !isSteady(pairs), difference: strange }
  }
}

/**
 * An outcome without what depends on timing: how far the request had been read
 * when `next` was called, for a coded body (zlib has a thread of its own) or for
 * one that was aborted.
 */
function comparable (outcome) {
  const isAccidental = ({ coding }, { error }) => coding !== undefined || error?.type === 'request.aborted'
  const withoutReading = ({ complete, ended, ...rest }) => rest
  const requests = outcome.requests.map((request) => ({
    ...request,
    steps: request.steps.map((step) => isAccidental(request, step) ? withoutReading(step) : step)
  }))
  return { ...outcome, requests }
}

/** Whether a parser never calls `next`: a fault even where body-parser does not either. */
function hangs ({ crash, requests }) {
  return crash === undefined && requests.some(({ hangs, steps }) => hangs === true && steps.length > 0)
}

/** Outcomes are plain data made by the same code; a comparison node by node is slower. */
function isSame (one, other) {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Two equal runs of both sides are enough. */
function isSteady ([one, other, ...more]) {
  return other !== undefined && more.length === 0 && isSame(one.ours, other.ours) && isSame(one.theirs, other.theirs)
}

/** The same messages, each in one chunk and one piece. */
function together (plan) {
  const arrival = { cuts: [], pauses: ['delivered'], bytewise: false }
  const messages = plan.messages.map(({ request }) => {
    return createMessage({ ...request, arrival, framing: { ...request.framing, sizes: [] } })
  })
  return { ...plan, messages }
}

module.exports = createJudge
