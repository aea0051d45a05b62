'use strict'

const { shuffle } = require('../../tools/random')

/**
 * A few cells that together have every pair of values that two of the fields have in all of them.
 *
 * @template {Record<string, unknown>} Cell
 * @param {Cell[]} cells
 * @param {[string, string][]} pairs of fields
 * @param {() => number} random
 * @returns {Cell[]}
 */
module.exports = function reduce (cells, pairs, random) {
  const pairsOf = (cell) => pairs.map(([one, other]) => `${one}=${cell[one]} ${other}=${cell[other]}`)
  const left = new Set(cells.flatMap(pairsOf))
  return shuffle([...cells], random).filter((cell) => {
    const gained = pairsOf(cell).filter((pair) => left.has(pair))
    for (const pair of gained) left.delete(pair)
    return gained.length > 0
  })
}
