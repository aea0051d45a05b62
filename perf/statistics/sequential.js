'use strict'

// When the blocks measured so far are judged. Repeated looks at the same data
// find something in the end; so every look gets a share of the allowed
// probability of a false verdict, and all shares together are at most 1.

/**
 * @param {number} number 1 for the first look
 * @returns {number} 1/2, 1/6, 1/12, ...
 */
function shareOf (number) {
  return 1 / (number * (number + 1))
}

/**
 * @typedef {object} Look
 * @property {number} number 1 for the first one
 * @property {number} pairs of blocks that there are by then
 * @property {number} share of alpha that it may spend
 */

/**
 * @param {{ rounds: number | 'auto', alpha: number, scenarios: number, firstLook: number, lookGrowth: number }} settings
 * @yields {Look}
 */
function * planLooks ({ rounds, alpha, scenarios, firstLook, lookGrowth }) {
  if (rounds !== 'auto') {
    yield { number: 1, pairs: rounds, share: 1 }
    return
  }
  let pairs = Math.max(firstLook, fewestPairs(shareOf(1) * alpha / scenarios))
  for (let number = 1; ; number++) {
    yield { number, pairs, share: shareOf(number) }
    pairs = Math.ceil(pairs * lookGrowth)
  }
}

/** With fewer pairs not even the clearest difference has so small a p. */
function fewestPairs (p) {
  return Math.ceil(1 - Math.log2(p))
}

module.exports = { planLooks, shareOf, fewestPairs }
