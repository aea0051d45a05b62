'use strict'

// The cells of a table: all combinations of its fields, and some that have every pair.

const { shuffle } = require('../../tools/random')

/**
 * Every combination of these values that is possible, and has all words in its name.
 *
 * @template {Record<string, any>} Cell
 * @param {{ [field in keyof Cell]: Cell[field][] }} values by field
 * @param {(cell: Cell) => string} nameOf
 * @param {(cell: Cell) => boolean} isPossible
 * @param {string[]} words
 * @returns {(Cell & { name: string })[]}
 */
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
 *
 * @template {Record<string, unknown>} Cell
 * @param {Cell[]} cells
 * @param {[string, string][]} pairs of fields
 * @param {() => number} random
 * @returns {Cell[]}
 */
function reduce (cells, pairs, random) {
  const numbers = new Map() // of pairs; a number is found faster than a text
  const numberOf = (pair) => {
    if (!numbers.has(pair)) numbers.set(pair, numbers.size)
    return numbers.get(pair)
  }
  const candidates = shuffle([...cells], random).map((cell) => ({
    cell,
    has: pairs.map(([one, other]) => numberOf(`${one}=${cell[one]} ${other}=${cell[other]}`))
  }))
  const covered = new Set()
  const chosen = []
  for (let least = pairs.length; least > 0; least--) {
    for (const { cell, has } of candidates) {
      if (has.filter((pair) => !covered.has(pair)).length < least) continue
      for (const pair of has) covered.add(pair)
      chosen.push(cell)
    }
  }
  return chosen
}

module.exports = { product, reduce }
