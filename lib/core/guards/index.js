'use strict'

// Options `budget`, `timeout` and `minRate`: guards of each exchange.

const Deadline = require('./deadline')

/** Changes a parser that is being composed. */
module.exports = function guardExchange (parser, { budget, minRate, timeout }) {
  const hasDeadline = timeout !== Infinity || minRate !== 0
  const createGuard = (exchange) => new Guard(
    budget === null ? null : budget.reserve(exchange, hasDeadline),
    hasDeadline ? new Deadline(exchange, timeout, minRate) : null
  )
  return { ...parser, createGuard }
}

/** What an exchange tells to its part of the budget, and to its deadline. */
class Guard {
  constructor (reservation, deadline) {
    this.reservation = reservation
    this.deadline = deadline
  }

  /** @returns {Error | null} why the exchange may not hold so many more bytes; below 0, it holds less */
  hold (bytes) {
    return this.reservation?.hold(bytes) ?? null
  }

  /** So many bytes were read off after an error. */
  drained (bytes) {
    this.deadline?.drained(bytes)
  }

  /** The content is complete. The deadline goes on: what `verify` and `parse` promise has to come in time as well. */
  completed () {
    this.reservation?.completed()
  }

  /** The content is not needed any more, after an error. The deadline goes on while the rest is drained. */
  discarded () {
    this.reservation?.release()
  }

  /** `next` is about to be called. */
  ended () {
    this.reservation?.release()
    this.deadline?.ended()
  }
}
