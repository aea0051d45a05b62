'use strict'

// Options `budget`, `timeout` and `minRate`: guards of each exchange.

const { createGuards } = require('../lifetime/guards')
const GuardedExchange = require('./guarded-exchange')

/** Changes a parser that is being composed. */
module.exports = function attachGuards (parser, settings) {
  return {
    ...parser,
    createGuards: (exchange) => createGuards(settings, exchange),
    Exchange: GuardedExchange,
    guardCollect: (collect) => guardCollect(parser.guardCollect(collect))
  }
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
