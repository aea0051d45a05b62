'use strict'

// Options `budget`, `timeout` and `minRate`: guards of each exchange.

const Deadline = require('./deadline')
const GuardedExchange = require('./guarded-exchange')

/** Changes a parser that is being composed. */
module.exports = function guardExchange (parser, { budget, minRate, timeout }) {
  const hasDeadline = timeout !== Infinity || minRate !== 0
  const createGuard = (exchange) => new Guard(
    budget === null ? null : budget.reserve(exchange, hasDeadline),
    hasDeadline ? new Deadline(exchange, timeout, minRate) : null
  )
  return { ...parser, createGuard, Exchange: GuardedExchange, guardCollect }
}

/**
 * Reads as `collect` does, and may be ended by the guard.
 *
 * @param {import('../body/collect').Collect} collect
 * @returns {import('../body/collect').Collect}
 */
const guardCollect = (collect) => function collectGuarded (exchange, done, codedLength) {
  const finish = collect(exchange, (...results) => {
    exchange.endStep()
    done(...results)
  }, codedLength)
  if (finish !== undefined) exchange.beginStep(finish)
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
