'use strict'

/**
 * The order of the sides: in groups of four blocks, ABBA or BAAB by a toss,
 * so that neither a slow drift nor a habit of the machine favours one side.
 *
 * @param {() => number} random in [0, 1)
 * @yields {['A', 'B'] | ['B', 'A']} the two blocks of a pair
 */
function * pairOrders (random) {
  while (true) {
    const first = random() < 0.5 ? ['A', 'B'] : ['B', 'A']
    yield first
    yield [first[1], first[0]]
  }
}

module.exports = { pairOrders }
