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
 * A few cells that together have every pair of values that two of the fields have in all of them.
 *
 * @template {Record<string, unknown>} Cell
 * @param {Cell[]} cells
 * @param {[string, string][]} pairs of fields
 * @param {() => number} random
 * @returns {Cell[]}
 */
function reduce (cells, pairs, random) {
  const pairsOf = (cell) => pairs.map(([one, other]) => `${one}=${cell[one]} ${other}=${cell[other]}`)
  const left = new Set(cells.flatMap(pairsOf))
  return shuffle([...cells], random).filter((cell) => {
    const gained = pairsOf(cell).filter((pair) => left.has(pair))
    for (const pair of gained) left.delete(pair)
    return gained.length > 0
  })
}

module.exports = { product, reduce }
