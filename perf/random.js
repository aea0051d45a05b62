'use strict'

/**
 * Random numbers that can be had again: the same seed gives the same order of
 * blocks and the same bootstrap. (Mulberry32.)
 *
 * @param {number} seed 32-bit integer
 * @returns {() => number} in [0, 1)
 */
function createRandom (seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6D2B79F5) >>> 0
    let bits = Math.imul(state ^ (state >>> 15), state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return ((bits ^ (bits >>> 14)) >>> 0) / 4294967296
  }
}

module.exports = createRandom
