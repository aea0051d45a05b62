'use strict'

const createRandom = require('../../perf/random')

/**
 * Choices that can be had again by their seed.
 *
 * @param {number} seed
 */
function createChance (seed) {
  const random = createRandom(seed)
  const below = (count) => Math.floor(random() * count)

  return {
    /** @param {number} count @returns {number} 0 to count - 1 */
    below,

    /** True once in so many times. */
    oneIn: (count) => below(count) === 0,

    /** @template T @param {T[]} choices @returns {T} */
    pick: (choices) => choices[below(choices.length)]
  }
}

module.exports = createChance
