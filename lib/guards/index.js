'use strict'

// Options `budget`, `timeout` and `minRate`: guards of each exchange.

const { Budget } = require('./budget')
const Deadline = require('./deadline')

/**
 * A guard is told of the bytes that an exchange holds, which it may refuse by
 * an error, or drains after an error; when the content is complete, or is
 * discarded after an error; and when `next` is called.
 *
 * @typedef {{ held: (bytes: number) => Error | null, drained: (bytes: number) => void, completed: () => void, discarded: () => void, ended: () => void }} Guard
 */

/** Changes a parser that is being composed. */
module.exports = function extendParser (parser, { budget, minRate, timeout }) {
  if (budget !== null && !(budget instanceof Budget)) throw new TypeError('option budget must be made by createBudget()')
  const hasDeadline = timeout !== Infinity || minRate !== 0
  return {
    ...parser,
    createGuard (exchange) {
      const reservation = budget?.reserve(exchange, hasDeadline)
      const deadline = hasDeadline ? new Deadline(exchange, timeout, minRate) : undefined
      return reservation && deadline ? both(reservation, deadline) : reservation ?? deadline
    }
  }
}

/** Tells the second nothing of bytes that the first refuses. */
function both (first, second) {
  const calls = ['held', 'drained', 'completed', 'discarded', 'ended'].map((name) => [name, (...bytes) => first[name](...bytes) ?? second[name](...bytes)])
  return Object.fromEntries(calls)
}
