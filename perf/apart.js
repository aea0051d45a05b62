'use strict'

// Results of two runs, minutes or days apart. What the machine did in between
// is in the difference, and no statistics can take it out again.

const createRandom = require('./random')
const { mean, quantile, squaredError, studentInterval } = require('./stats')

/** The median of all differences between the sides (Hodges-Lehmann). */
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
 *   the interval is that of the blocks, made wider by `drift` on both sides;
 *   never equivalent
 */
function weighApart (a, b, { alpha, resamples, drift }) {
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

const FEW = 6 // blocks; below that there is too little to draw from

/** By bootstrap; of few blocks Welch's interval, with as few degrees of freedom as it can have. */
function shiftInterval (a, b, alpha, resamples, random) {
  const least = Math.min(a.length, b.length)
  if (least < FEW) return studentInterval(mean(b) - mean(a), squaredError(a) + squaredError(b), least - 1, 1 - alpha)
  const shifts = Float64Array.from({ length: resamples }, () => shift(draw(a, random), draw(b, random))).sort()
  return { low: quantile(shifts, alpha / 2), high: quantile(shifts, 1 - alpha / 2) }
}

function draw (values, random) {
  return values.map(() => values[Math.floor(random() * values.length)])
}

/** How often do blocks dealt out at random differ as much as these, beyond the margin? */
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

function shuffle (values, random) {
  for (let i = values.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [values[i], values[j]] = [values[j], values[i]]
  }
}

module.exports = { weighApart }
