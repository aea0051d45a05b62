'use strict'

// Runs the cases of seed after seed, one at a time, until one differs: draws a case, has a side run and judge it,
// counts the rules that explain what differs, shrinks what none explains, and reports.

const fc = require('fast-check')

const BATCH = 100 // cases of one seed
const SHRINKING = 30_000 // ms at most
const EXAMPLES = 3 // of unsteady cases

/**
 * What one fuzzer has of its own.
 *
 * @typedef {object} Side
 * @property {string} what it draws and compares, for --help
 * @property {string} again the command
 * @property {number} cases how many by default
 * @property {string[]} faults that can be injected
 * @property {fc.Arbitrary<object>} anyCase
 * @property {(fault: string | null) => (drawn: object) => Verdict | Promise<Verdict>} createJudge runs a case on both
 *   sides, and compares
 * @property {(drawn: object, verdict: Verdict) => string} describe the case, and what differs
 *
 * @typedef {object} Verdict
 * @property {string[]} rules that explain the differences
 * @property {string[]} met what came of the case, for the report
 * @property {unknown} difference null if there is none that no rule explains
 * @property {boolean} [unsteady] the outcomes vary
 */

/** Carries a verdict out of a property of fast-check. */
class Difference extends Error {
  constructor (verdict) {
    super('differs')
    this.verdict = verdict
  }
}

/** @returns {Promise<object>} how many cases and differences there were, and how often each rule and result */
module.exports = async function run (side, { cases, seed, path = null, keepGoing, injectFault = null }, print) {
  const judge = side.createJudge(injectFault)
  const start = performance.now()
  const tally = { cases: 0, differences: 0, unsteady: [], rules: {}, met: {} }
  const end = () => print(describeEnd(tally, { seconds: (performance.now() - start) / 1000, seed }))
  process.once('exit', end) // also after a signal

  if (path !== null) await runBatch(side, judge, { seed, numRuns: 1, path }, tally, print)
  for (let done = path === null ? 0 : cases; done < cases; done += BATCH) {
    if (tally.differences > 0 && !keepGoing) break
    const batch = { seed: (seed + done / BATCH) % 2 ** 31, numRuns: Math.min(BATCH, cases - done) }
    await runBatch(side, judge, batch, tally, print)
  }
  process.removeListener('exit', end)
  end()
  return tally
}

async function runBatch ({ again, anyCase, describe }, judge, batch, tally, print) {
  const { seed } = batch
  let shrinkUntil = Infinity
  const property = fc.asyncProperty(anyCase, async (drawn) => {
    if (performance.now() > shrinkUntil) return
    const verdict = await judge(drawn)
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
  print([
    `DIFFERENCE${verdict.unsteady ? ', but not every time' : ''}: seed ${seed}, path ${path}\n`,
    describe(counterexample[0], verdict),
    `again: ${again} --seed=${seed} --path=${path}\n`
  ].join('\n'))
}

function count (tally, { met, rules, unsteady }, where) {
  tally.cases++
  if (unsteady && tally.unsteady.length < EXAMPLES) tally.unsteady.push(where)
  for (const name of met) tally.met[name] = (tally.met[name] ?? 0) + 1
  for (const name of rules) tally.rules[name] = (tally.rules[name] ?? 0) + 1
}

/** The end of a run. */
function describeEnd ({ cases, differences, met, rules, unsteady }, { seconds, seed }) {
  const speed = `${seconds.toFixed(1)} s (${Math.round(cases / seconds)}/s)`
  const verdict = differences === 0 ? 'no difference beyond the listed ones' : `differences: ${differences}`
  return [
    `${cases} cases from seed ${seed} in ${speed}: ${verdict}`,
    'listed differences met:',
    ...sorted(rules),
    'results of cases:',
    ...sorted(met),
    ...unsteady.map((where) => `unsteady, but at times equal: ${where}`)
  ].join('\n')
}

const sorted = (counts) => Object.entries(counts).sort(([, one], [, other]) => other - one)
  .map(([name, count]) => `${String(count).padStart(11)}  ${name}`)
