'use strict'

// The cells of a table: all combinations of its fields, and some that have every pair.

const { shuffle } = require('../../tools/random')

/** Every combination of these values, by field, that is possible, and has all words in its name. */
function product (values, nameOf, isPossible, words) {
  let cells = [{}]
  for (const [field, list] of Object.entries(values)) {
    cells = cells.flatMap((cell) => list.map((value) => ({ ...cell, [field]: value })))
  }
  const named = cells.filter(isPossible).map((cell) => ({ name: nameOf(cell), ...cell }))
  return named.filter(({ name }) => words.every((word) => name.includes(word)))
}

/**
 * A few cells that together have every pair of values that two of the fields have in all of them. Those that add most
 * pairs are taken first, so that fewer are needed.
 */
function reduce (cells, pairs, random) {
  const candidates = shuffle([...cells], random).map((cell) => ({
    cell,
    has: pairs.map(([one, other], index) => `${index} ${cell[one]} ${cell[other]}`),
    adds: pairs.length // at most: what was counted last, as it never becomes more
  }))
  const covered = new Set()
  const chosen = []
  for (let least = pairs.length; least > 0; least--) {
    for (const candidate of candidates) {
      if (candidate.adds < least) continue
      candidate.adds = candidate.has.reduce((sum, pair) => covered.has(pair) ? sum : sum + 1, 0)
      if (candidate.adds < least) continue
      for (const pair of candidate.has) covered.add(pair)
      chosen.push(candidate.cell)
    }
  }
  return chosen
}

module.exports = { product, reduce }
