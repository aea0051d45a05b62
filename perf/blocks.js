'use strict'

/**
 * Whose turn it is in a round: groups of four slices, ABBA or BAAB by a toss,
 * so that neither a drift nor a habit of the machine favours one side. One side
 * alone has every turn.
 *
 * @param {string[]} letters of the sides, one or two
 * @param {number} duration s per side
 * @param {number} slice s, about
 * @param {() => number} random in [0, 1)
 * @returns {string[]} letters, as many of one side as of the other
 */
function takeTurns (letters, duration, slice, random) {
  const [a, b] = letters
  if (b === undefined) return new Array(Math.max(1, Math.round(duration / slice))).fill(a)
  const groups = Math.max(1, Math.round(duration / slice / 2))
  return Array.from({ length: groups }, () => random() < 0.5 ? [a, b, b, a] : [b, a, a, b]).flat()
}

module.exports = { takeTurns }
