'use strict'

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
module.exports = function product (values, nameOf, isPossible, words) {
  let cells = [{}]
  for (const [field, list] of Object.entries(values)) {
    cells = cells.flatMap((cell) => list.map((value) => ({ ...cell, [field]: value })))
  }
  const named = cells.filter(isPossible).map((cell) => ({ name: nameOf(cell), ...cell }))
  return named.filter(({ name }) => words.every((word) => name.includes(word)))
}
