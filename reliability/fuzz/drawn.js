'use strict'

const fc = require('fast-check')
const { createRandom, randomInt } = require('../../tools/random')

/**
 * Cases that a function makes of whole numbers. A case shrinks by numbers that are left out or lower, as far as the
 * function makes something shorter of them. `fc.gen()` does so as well, and takes three times as long to draw.
 *
 * @template Case
 * @extends {fc.Arbitrary<Case>}
 */
class Drawn extends fc.Arbitrary {
  /** @param {(draw: (limit: number) => number) => Case} create `draw` gives a number from 0 to `limit` - 1 */
  constructor (create) {
    super()
    this.create = create
  }

  generate (random) {
    return this.createValue((limit) => random.nextInt(0, limit - 1))
  }

  createValue (draw) {
    const numbers = []
    const drawn = this.create((limit) => {
      const number = draw(limit, numbers.length)
      numbers.push(number)
      return number
    })
    return new fc.Value(drawn, numbers)
  }

  canShrinkWithoutContext () {
    return false
  }

  shrink (drawn, numbers) {
    // Behind the end they are random, so that a function which waits for some number comes to its end.
    const replay = (some) => {
      const random = createRandom(some.length)
      return this.createValue((limit, i) => i < some.length ? some[i] % limit : randomInt(limit, random))
    }
    return fc.stream(smaller(numbers)).map(replay).filter(({ context }) => isLess(context, numbers))
  }
}

/** Without a run of numbers, long runs first; then with one that is lower. */
function * smaller (numbers) {
  for (let size = numbers.length >> 1; size > 0; size >>= 1) {
    for (let at = 0; at + size <= numbers.length; at += size) yield numbers.toSpliced(at, size)
  }
  for (const [at, number] of numbers.entries()) {
    for (const less of new Set([0, number >> 1])) if (less < number) yield numbers.with(at, less)
  }
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0)
const isLess = (some, numbers) =>
  some.length < numbers.length || (some.length === numbers.length && sum(some) < sum(numbers))

module.exports = (create) => new Drawn(create)
