'use strict'

// Statistics of paired blocks. All of it works on the logarithms of the ratios
// B / A, one number per pair: then "twice" and "half" are equally far from 1.

const createRandom = require('./random')

/** @param {number[]} sorted */
function quantile (sorted, portion) {
  const at = (sorted.length - 1) * portion
  const below = Math.floor(at)
  const above = Math.ceil(at)
  return sorted[below] + (sorted[above] - sorted[below]) * (at - below)
}

function mean (values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Of the mean of these values, the square of its standard error. */
function squaredError (values) {
  const middle = mean(values)
  return values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1) / values.length
}

/**
 * The Hodges-Lehmann estimate: the median of the means of all pairs. Nearly as
 * sharp as the mean, and one disturbed block cannot drag it along.
 *
 * @param {ArrayLike<number>} values
 * @returns {number}
 */
function centre (values) {
  return quantile(pairMeans(values), 0.5)
}

/** The means of all pairs, sorted; each value is paired with itself, too. */
function pairMeans (values) {
  const means = new Float64Array(values.length * (values.length + 1) / 2)
  let count = 0
  for (let i = 0; i < values.length; i++) {
    for (let j = i; j < values.length; j++) means[count++] = (values[i] + values[j]) / 2
  }
  return means.sort()
}

/**
 * The exact signed-rank test: how often, if the sign of every value were
 * tossed, would they lie as far to one side of `middle` as they do?
 *
 * @param {number[]} values
 * @param {number} [middle=0]
 * @returns {{ below: number, above: number, both: number }} p of the finding
 *   that the centre lies below `middle`, above it, or away from it
 */
function signedRank (values, middle = 0) {
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

/** Ranks from 1, times two, so that the mean rank of ties is whole. */
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

const FEW = 6 // values; below that there is too little to draw from
const MANY = 50 // values; above that there is no need to

/**
 * An interval that holds the centre in `level` of all cases.
 *
 * @param {number[]} values two or more
 * @param {{ level?: number, resamples?: number, seed?: number }} [settings]
 * @returns {{ low: number, high: number }}
 */
function centreInterval (values, settings = {}) {
  const { level = 0.95 } = settings
  if (values.length < FEW) return studentInterval(mean(values), squaredError(values), values.length - 1, level)
  return values.length > MANY ? rankInterval(values, level) : bootstrapInterval(values, settings)
}

/**
 * Student's interval of a mean.
 *
 * @param {number} middle
 * @param {number} squared error of it
 * @param {number} freedom degrees of it
 * @param {number} level
 */
function studentInterval (middle, squared, freedom, level) {
  const reach = studentQuantile((1 - level) / 2, freedom) * Math.sqrt(squared)
  return { low: middle - reach, high: middle + reach }
}

/** Every centre that the signed-rank test would not refuse, by the normal approximation. */
function rankInterval (values, level) {
  const { length } = values
  const spread = Math.sqrt(length * (length + 1) * (2 * length + 1) / 24)
  const reach = studentQuantile((1 - level) / 2, length - 1) * spread
  const means = pairMeans(values)
  const cut = Math.max(0, Math.floor((means.length - 1) / 2 - reach))
  return { low: means[cut], high: means[means.length - 1 - cut] }
}

/**
 * A bootstrap interval of the centre: percentiles, taken further out by as
 * much as Student's t goes beyond the normal, for plain percentiles are too
 * narrow for few values (Hesterberg 2015, "expanded percentile").
 *
 * @param {number[]} values
 * @param {{ level?: number, resamples?: number, seed?: number }} [settings]
 * @returns {{ low: number, high: number }}
 */
function bootstrapInterval (values, { level = 0.95, resamples = 4000, seed = 1 } = {}) {
  const random = createRandom(seed)
  const count = values.length
  const centres = new Float64Array(resamples)
  const drawn = new Float64Array(count)
  for (let i = 0; i < resamples; i++) {
    for (let j = 0; j < count; j++) drawn[j] = values[Math.floor(random() * count)]
    centres[i] = centre(drawn)
  }
  centres.sort()
  const tail = expandedTail((1 - level) / 2, count)
  return { low: quantile(centres, tail), high: quantile(centres, 1 - tail) }
}

function expandedTail (tail, count) {
  return normalTail(Math.sqrt(count / (count - 1)) * studentQuantile(tail, count - 1))
}

/** Upper tail of the normal distribution (Abramowitz and Stegun 26.2.17). */
function normalTail (z) {
  const t = 1 / (1 + 0.2316419 * z)
  const series = t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  return Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI) * series
}

/** Where Student's t leaves `tail` above it, by bisection. */
function studentQuantile (tail, freedom) {
  let low = 0
  let high = 1e5
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2
    if (studentTail(middle, freedom) > tail) low = middle
    else high = middle
  }
  return low
}

/** Upper tail of Student's t for whole degrees of freedom (A. and S. 26.7.3-4). */
function studentTail (t, freedom) {
  const angle = Math.atan(t / Math.sqrt(freedom))
  const cosine = Math.cos(angle)
  const odd = freedom % 2 === 1
  let term = odd ? cosine : 1
  let sum = freedom === 1 ? 0 : term
  for (let k = odd ? 3 : 2; k < freedom; k += 2) {
    term *= cosine * cosine * (k - 1) / k
    sum += term
  }
  const within = odd ? 2 / Math.PI * (angle + Math.sin(angle) * sum) : Math.sin(angle) * sum
  return (1 - within) / 2
}

/**
 * Holm's correction: p-values of a family, so that the chance of even one
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

module.exports = { quantile, mean, squaredError, centre, signedRank, centreInterval, studentInterval, studentTail, holm }
