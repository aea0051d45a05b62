'use strict'

const { centre, centreInterval } = require('./estimates')
const signedRank = require('./signed-rank')

/**
 * What pairs of blocks say, at one look.
 *
 * @param {number[]} logs logarithm of B / A, one per pair
 * @param {{ share: number }} look
 * @param {{ alpha: number, threshold: number, resamples: number }} settings
 *   threshold in %
 * @returns {{ ratio: number, low: number, high: number, p: number, pEquivalent: number }}
 *   p-values and interval account for the repeated looks: p is divided by the
 *   look's share, and the interval is wider accordingly
 */
function weigh (logs, look, { alpha, threshold, resamples }) {
  const { low, high } = centreInterval(logs, { level: 1 - alpha * look.share, resamples })
  return {
    ratio: Math.exp(centre(logs)),
    low: Math.exp(low),
    high: Math.exp(high),
    ...testLogs(logs, look, threshold)
  }
}

function testLogs (logs, { share }, threshold) {
  const band = Math.log(1 + threshold / 100)
  const outside = Math.max(signedRank(logs, band).below, signedRank(logs, -band).above)
  return {
    p: Math.min(1, signedRank(logs).both / share),
    pEquivalent: Math.min(1, outside / share)
  }
}

/**
 * A finding needs both the test and the interval.
 *
 * @param {{ low: number, high: number, p: number, pEquivalent: number }} evidence
 *   of a metric that is better when lower
 * @param {{ alpha: number, threshold: number }} settings
 * @returns {'A faster' | 'B faster' | 'equivalent' | 'inconclusive'}
 */
function decide ({ low, high, p, pEquivalent }, { alpha, threshold }) {
  const band = 1 + threshold / 100
  if (pEquivalent <= alpha && low >= 1 / band && high <= band) return 'equivalent'
  if (p <= alpha && high < 1) return 'B faster'
  if (p <= alpha && low > 1) return 'A faster'
  return 'inconclusive'
}

/**
 * Is one scenario of several settled, so that no further blocks are needed?
 * The others are not known yet, so this is Bonferroni's correction; Holm's,
 * once all are known, can only make it surer.
 *
 * @param {number[]} logs
 * @param {import('./sequential').Look} look
 * @param {{ alpha: number, threshold: number, resamples: number, scenarios: number }} settings
 * @returns {boolean}
 */
function isSettled (logs, look, settings) {
  const strict = { ...settings, alpha: settings.alpha / settings.scenarios }
  const { p, pEquivalent } = testLogs(logs, look, settings.threshold)
  if (Math.min(p, pEquivalent) > strict.alpha) return false // avoids the bootstrap
  return decide(weigh(logs, look, settings), strict) !== 'inconclusive'
}

/**
 * Holm's correction: p-values of a family, so that the probability of even one
 * false finding in it stays what it is for one.
 *
 * @param {number[]} ps
 * @returns {number[]} in the same order
 */
function holm (ps) {
  const order = ps.map((_, i) => i).sort((a, b) => ps[a] - ps[b])
  const adjusted = new Array(ps.length)
  let highest = 0
  order.forEach((index, place) => {
    highest = Math.max(highest, Math.min(1, ps[index] * (ps.length - place)))
    adjusted[index] = highest
  })
  return adjusted
}

/**
 * Verdicts over all scenarios of a run.
 *
 * @param {object[]} evidences of `weigh`, one per scenario
 * @param {{ alpha: number, threshold: number }} settings
 * @returns {{ decision: string, p: number, pEquivalent: number }[]} p-values after Holm's correction
 */
function judge (evidences, settings) {
  const ps = holm(evidences.map(({ p }) => p))
  const psEquivalent = holm(evidences.map(({ pEquivalent }) => pEquivalent))
  return evidences.map((evidence, i) => {
    const corrected = { p: ps[i], pEquivalent: psEquivalent[i] }
    return { decision: decide({ ...evidence, ...corrected }, settings), ...corrected }
  })
}

module.exports = { weigh, decide, isSettled, holm, judge }
