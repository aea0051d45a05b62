'use strict'

/**
 * The exact signed-rank test: if the sign of every value were tossed, how often
 * would they lie as far to one side of `middle` as they do?
 *
 * @param {number[]} values
 * @param {number} [middle=0]
 * @returns {{ below: number, above: number, both: number }} p of the finding
 *   that the centre lies below `middle`, above it, or away from it
 */
module.exports = function signedRank (values, middle = 0) {
  const distances = values.map((value) => value - middle).filter((distance) => distance !== 0)
  const ranks = doubledRanks(distances.map(Math.abs))
  const positive = distances.reduce((sum, distance, i) => distance > 0 ? sum + ranks[i] : sum, 0)
  const chances = rankSumChances(ranks)
  let below = 0
  let above = 0
  for (let sum = 0; sum < chances.length; sum++) {
    if (sum <= positive) below += chances[sum]
    if (sum >= positive) above += chances[sum]
  }
  return { below: Math.min(1, below), above: Math.min(1, above), both: Math.min(1, 2 * Math.min(below, above)) }
}

/** Ranks from 1, times two, so that the mean rank of ties is an integer. */
function doubledRanks (sizes) {
  const order = sizes.map((_, i) => i).sort((a, b) => sizes[a] - sizes[b])
  const ranks = new Array(sizes.length)
  for (let first = 0; first < order.length;) {
    let last = first
    while (last + 1 < order.length && sizes[order[last + 1]] === sizes[order[first]]) last++
    for (let i = first; i <= last; i++) ranks[order[i]] = first + last + 2
    first = last + 1
  }
  return ranks
}

/** The chance of each sum of ranks, if a fair coin decides on each rank. */
function rankSumChances (ranks) {
  const total = ranks.reduce((sum, rank) => sum + rank, 0)
  const chances = new Float64Array(total + 1)
  chances[0] = 1
  let reach = 0
  for (const rank of ranks) {
    reach += rank
    for (let sum = reach; sum >= 0; sum--) {
      chances[sum] = (chances[sum] + (sum >= rank ? chances[sum - rank] : 0)) / 2
    }
  }
  return chances
}
