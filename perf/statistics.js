'use strict'

// What samples tell about a trial, and trials about a ratio. The values of trials are logarithms of ratios, so that
// "twice" and "half" are equally far from 1.

const { median } = require('../tools/statistics')

const ALPHA = 0.01 // probability of a false verdict, over all scenarios and loads of a session

/** The means of all pairs of values, each with itself as well: Walsh averages, in rising order. */
function pairMeans (values) {
  return values.flatMap((value, i) => values.slice(i).map((other) => (value + other) / 2)).sort((a, b) => a - b)
}

/**
 * How much more a request costs on one side in a trial: the median over the samples that were taken next to each other.
 * On a shared machine other programs change the speed of a core by a third, for a tenth of a second or for minutes:
 * neighbouring samples have it in common, those of a whole trial have not.
 *
 * @param {number[]} a samples in the order in which they were taken
 * @param {number[]} b those of the other side, taken in turn with them
 * @returns {number} logarithm of b / a
 */
function logOfNeighbours (a, b) {
  const beside = (i) => b.slice(Math.max(0, i - 1), i + 2)
  return median(a.flatMap((own, i) => beside(i).map((other) => Math.log(other / own))))
}

/**
 * Wilcoxon's signed-rank distribution without ties.
 *
 * @param {number} count of values
 * @returns {number[]} the probability of each sum of ranks
 */
function signedRanks (count) {
  let chances = [1]
  for (let rank = 1; rank <= count; rank++) {
    const next = new Array(chances.length + rank).fill(0)
    chances.forEach((chance, sum) => {
      next[sum] += chance / 2
      next[sum + rank] += chance / 2
    })
    chances = next
  }
  return chances
}

/**
 * What trials say about the true value, by the Hodges-Lehmann estimate (the median of the means of all pairs), whatever
 * the distribution of what disturbs them, if it is symmetric: the interval belongs to Wilcoxon's signed-rank test.
 *
 * @param {number[]} values one for each trial
 * @param {number} level of the interval, such as 0.99
 * @returns {{ estimate: number, low: number, high: number, p: number }} p: two-sided, of the true value 0. An infinite
 *   interval if there are too few trials for the level
 */
function estimate (values, level) {
  const means = pairMeans(values)
  const chances = signedRanks(values.length)
  let cut = 0 // means to leave out at both ends
  for (let tail = 0; (tail += chances[cut]) <= (1 - level) / 2; cut++);
  const ends = cut === 0 ? [-Infinity, Infinity] : [means[cut - 1], means[means.length - cut]]
  const above = means.filter((value) => value > 0).length // the sum of the ranks of positive values
  const extreme = Math.min(above, means.length - above)
  const p = Math.min(1, 2 * chances.slice(0, extreme + 1).reduce((sum, chance) => sum + chance, 0))
  return { estimate: median(means), low: ends[0], high: ends[1], p }
}

/** @returns {number} trials below which no interval of that level is finite */
const fewestTrials = (level) => Math.ceil(1 - Math.log2(1 - level))

/**
 * The one rule of verdicts.
 *
 * @param {{ low: number, high: number }} interval of B / A, of something that is better when lower
 * @param {number} threshold a difference within this share does not matter
 * @returns {'A faster' | 'B faster' | 'equivalent' | 'inconclusive'}
 */
function decide ({ low, high }, threshold) {
  if (low >= 1 / (1 + threshold) && high <= 1 + threshold) return 'equivalent'
  if (low > 1) return 'A faster'
  if (high < 1) return 'B faster'
  return 'inconclusive'
}

module.exports = { ALPHA, estimate, fewestTrials, decide, logOfNeighbours }
