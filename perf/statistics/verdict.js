'use strict'

const { studentEstimate } = require('./estimates')

/**
 * What runs say about a ratio.
 *
 * @param {number[]} logs logarithm of B / A, one per run
 * @param {{ alpha: number, threshold: number }} settings threshold in %
 * @returns {{ ratio: number, low: number, high: number, p: number, pEquivalent: number }}
 *   p of the finding that B / A is not 1; pEquivalent of the finding that it is
 *   within the threshold
 */
function weigh (logs, settings) {
  return evidenceOf(studentEstimate(logs, { level: 1 - settings.alpha }), settings)
}

/** @param {ReturnType<typeof studentEstimate>} known @returns {ReturnType<typeof weigh>} */
function evidenceOf ({ estimate, low, high, below, above }, { threshold }) {
  const band = Math.log(1 + threshold / 100)
  return {
    ratio: Math.exp(estimate),
    low: Math.exp(low),
    high: Math.exp(high),
    p: Math.min(1, 2 * Math.min(below(0), above(0))),
    pEquivalent: Math.max(below(band), above(-band))
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

module.exports = { weigh, decide, holm, judge }
