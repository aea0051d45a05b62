'use strict'

// Options `budget`, `timeout` and `minRate`: guards of each exchange.

const Deadline = require('./deadline')
const GuardedExchange = require('./guarded-exchange')

/** Changes a parser that is being composed. */
module.exports = function guardExchange (parser, { budget, minRate, timeout }) {
  const hasDeadline = timeout !== Infinity || minRate !== 0
  const createGuards = (exchange) => ({
    reservation: budget === null ? null : budget.reserve(exchange, hasDeadline),
    deadline: hasDeadline ? new Deadline(exchange, timeout, minRate) : null
  })
  return { ...parser, createGuards, Exchange: GuardedExchange, guardCollect }
}

/**
 * Reads as `collect` does, and may be ended by a guard.
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
