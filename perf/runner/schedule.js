'use strict'

/**
 * The order of the turns in a run: AB, BA, AB ... or BA, AB, BA ... at random,
 * so that neither a drift nor a period of the machine favours one target.
 *
 * @param {string[]} letters of the targets, one or two
 * @param {() => number} random in [0, 1)
 * @yields {string[]} the letters of a round, in the order of their turns; without end
 */
module.exports = function * scheduleRounds (letters, random) {
  for (let isReversed = random() < 0.5; ; isReversed = !isReversed) yield isReversed ? [...letters].reverse() : letters
}
