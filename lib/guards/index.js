'use strict'

// Options `budget`, `timeout` and `minRate`: guards of each exchange.

const Deadline = require('./deadline')

/**
 * A guard is told of the bytes that an exchange holds, which it may refuse by
 * an error, or drains after an error; when the content is complete, or is
 * discarded after an error; and when `next` is called.
 *
 * @typedef {object} Guard
 * @property {(bytes: number) => Error | null} held
 * @property {(bytes: number) => void} drained
 * @property {() => void} completed
 * @property {() => void} discarded
 * @property {() => void} ended
 */

/** Changes a parser that is being composed. */
module.exports = function extendParser (parser, { budget, minRate, timeout }) {
  const hasDeadline = timeout !== Infinity || minRate !== 0
  return {
    ...parser,
    createGuard (exchange) {
      const reservation = budget?.reserve(exchange, hasDeadline)
      const deadline = hasDeadline ? new Deadline(exchange, timeout, minRate) : undefined
      return reservation && deadline ? new Guards(reservation, deadline) : reservation ?? deadline
    }
  }
}

/** Both guards of one exchange: the budget, and the deadline. */
class Guards {
  constructor (reservation, deadline) {
    this.reservation = reservation
    this.deadline = deadline
  }

  held (bytes) {
    return this.reservation.held(bytes) ?? this.deadline.held(bytes)
  }

  drained (bytes) {
    this.reservation.drained(bytes)
    this.deadline.drained(bytes)
  }

  completed () {
    this.reservation.completed()
    this.deadline.completed()
  }

  discarded () {
    this.reservation.discarded()
    this.deadline.discarded()
  }

  ended () {
    this.reservation.ended()
    this.deadline.ended()
  }
}
