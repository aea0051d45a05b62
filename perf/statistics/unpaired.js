'use strict'

// Results of two runs, minutes or days apart. The difference contains what the
// machine did in between, and statistics cannot take it out again.

const { createRandom, pick, shuffle } = require('../../tools/random')
const { mean, quantile, squaredError, studentInterval } = require('../../tools/statistics')

/** The median of all differences between the targets (Hodges-Lehmann). */
function shift (a, b) {
  const differences = new Float64Array(a.length * b.length)
  for (let i = 0; i < a.length; i++) {
    for (let j = 0; j < b.length; j++) differences[i * b.length + j] = b[j] - a[i]
  }
  return quantile(differences.sort(), 0.5)
}

/**
 * @param {number[]} a logarithms, one per block
 * @param {number[]} b
 * @param {{ alpha: number, resamples: number, drift: number }} settings
 *   `drift` in %: how far runs of the same code lie apart
 * @returns {{ ratio: number, low: number, high: number, p: number, pEquivalent: number }}
 *   the interval is that of the blocks, widened by `drift` on both sides;
 *   never equivalent
 */
module.exports = function weighUnpaired (a, b, { alpha, resamples, drift }) {
  const random = createRandom(1)
  const estimate = shift(a, b)
  const margin = Math.log(1 + drift / 100)
  const { low, high } = shiftInterval(a, b, alpha, resamples, random)
  return {
    ratio: Math.exp(estimate),
    low: Math.exp(low - margin),
    high: Math.exp(high + margin),
    p: permutationP(a, b, margin, resamples, random),
    pEquivalent: 1
  }
}

const FEW = 6 // blocks; fewer are too few to resample

/** By bootstrap; of few blocks Welch's interval, with as few degrees of freedom as it can have. */
function shiftInterval (a, b, alpha, resamples, random) {
  const least = Math.min(a.length, b.length)
  if (least < FEW) return studentInterval(mean(b) - mean(a), squaredError(a) + squaredError(b), least - 1, 1 - alpha)
  const draw = (values) => values.map(() => pick(values, random))
  const shifts = Float64Array.from({ length: resamples }, () => shift(draw(a), draw(b))).sort()
  return { low: quantile(shifts, alpha / 2), high: quantile(shifts, 1 - alpha / 2) }
}

/** How often do blocks that are dealt at random differ as much as these, beyond the margin? */
function permutationP (a, b, margin, deals, random) {
  const towards = Math.sign(shift(a, b))
  const nearer = b.map((value) => value - towards * margin)
  const seen = towards * (mean(nearer) - mean(a))
  const pool = [...a, ...nearer]
  let as = 0
  for (let i = 0; i < deals; i++) {
    shuffle(pool, random)
    if (Math.abs(mean(pool.slice(a.length)) - mean(pool.slice(0, a.length))) >= seen) as++
  }
  return (as + 1) / (deals + 1)
}
