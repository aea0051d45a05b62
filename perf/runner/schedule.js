'use strict'

/**
 * The order of the slices in a round: groups of four, ABBA or BAAB at random,
 * so that neither a drift nor a period of the machine favours one target. One
 * target alone has all slices.
 *
 * @param {string[]} letters of the targets, one or two
 * @param {number} duration s per target
 * @param {number} slice s, about
 * @param {() => number} random in [0, 1)
 * @returns {string[]} letters, as many of one target as of the other
 */
module.exports = function scheduleSlices (letters, duration, slice, random) {
  const [a, b] = letters
  if (b === undefined) return new Array(Math.max(1, Math.round(duration / slice))).fill(a)
  const groups = Math.max(1, Math.round(duration / slice / 2))
  return Array.from({ length: groups }, () => random() < 0.5 ? [a, b, b, a] : [b, a, a, b]).flat()
}
