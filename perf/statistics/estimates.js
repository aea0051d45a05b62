'use strict'

// Estimates of paired blocks. All of them work on the logarithms of the ratios
// B / A, one number per pair: then "twice" and "half" are equally far from 1.

const { createRandom } = require('../../tools/random')
const { mean, normalTail, quantile, squaredError, studentInterval, studentQuantile } = require('../../tools/statistics')

/**
 * The Hodges-Lehmann estimate: the median of the means of all pairs. It is
 * nearly as sharp as the mean, and resists single disturbed blocks.
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

const FEW = 6 // values; fewer are too few to resample
const MANY = 50 // values; with more there is no need to resample

/**
 * An interval that holds the centre with probability `level`.
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

/** All centres that the signed-rank test does not reject, by the normal approximation. */
function rankInterval (values, level) {
  const { length } = values
  const spread = Math.sqrt(length * (length + 1) * (2 * length + 1) / 24)
  const reach = studentQuantile((1 - level) / 2, length - 1) * spread
  const means = pairMeans(values)
  const cut = Math.max(0, Math.floor((means.length - 1) / 2 - reach))
  return { low: means[cut], high: means[means.length - 1 - cut] }
}

/**
 * A bootstrap interval of the centre. Its percentiles lie further out by as
 * much as Student's t exceeds the normal distribution, as plain percentiles are
 * too narrow for few values (Hesterberg 2015, "expanded percentile").
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
  const tail = normalTail(Math.sqrt(count / (count - 1)) * studentQuantile((1 - level) / 2, count - 1))
  return { low: quantile(centres, tail), high: quantile(centres, 1 - tail) }
}

module.exports = { centre, centreInterval }
