'use strict'

/** The same numbers for the same seed (Mulberry32). @param {number} seed 32 bits @returns {() => number} in [0, 1) */
function createRandom (seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6D2B79F5) >>> 0
    let bits = Math.imul(state ^ (state >>> 15), state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return ((bits ^ (bits >>> 14)) >>> 0) / 4294967296
  }
}

/** @returns {number} an integer from 0 to `count` - 1 */
const randomInt = (count, random) => Math.floor(random() * count)

/** @template T @param {ArrayLike<T>} values @returns {T} one of them */
function pick (values, random) {
  return values[randomInt(values.length, random)]
}

/** Shuffles an array in place (Fisher-Yates). @template T @param {T[]} values @returns {T[]} */
function shuffle (values, random) {
  for (let i = values.length - 1; i > 0; i--) {
    const j = randomInt(i + 1, random);
    [values[i], values[j]] = [values[j], values[i]]
  }
  return values
}

module.exports = { createRandom, randomInt, pick, shuffle }
