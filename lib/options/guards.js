'use strict'

// Options `budget`, `timeout` and `minRate`: guards of each exchange.

const Exchange = require('../core/body/exchange')
const { createGuards, guarded } = require('../core/lifetime/guards')
const onDisconnect = require('../core/request/disconnect')
const { hasArrived } = require('../core/request/facts')

/** Changes a parser that is being composed. */
module.exports = function attachGuards (parser, settings) {
  return {
    ...parser,
    createGuards: (exchange) => createGuards(settings, exchange),
    Exchange: GuardedExchange,
    guardCollect: (collect) => guardCollect(parser.guardCollect(collect))
  }
}

/** An exchange that tells its part of the budget, and its deadline, what happens to the body. */
class GuardedExchange extends guarded(Exchange) {
  constructor (parts) {
    super(parts)
    this.startGuards(parts.parser.createGuards(this))
    // Once the app has answered, Node does not tell a request that its client
    // has left: its part of the budget would never be released.
    const { req } = this
    this.forgetClient = this.reservation === null
      ? null
      : onDisconnect(req, () => this.onLeft(), () => hasArrived(req, this.received))
  }

  get awaitsBody () {
    return this.decoded === null && !this.match.skip
  }

  get isWhole () {
    return this.req.complete
  }

  get isFlowing () {
    return this.req.readableFlowing
  }

  pause () {
    this.req.pause?.()
  }

  resume () {
    this.req.resume?.()
  }

  receive (bytes, limit) {
    return super.receive(bytes, limit) ?? this.reserve(bytes)
  }

  /** The deadline goes on: what `verify` and `parse` promise has to come in time as well. */
  setDecoded (bytes) {
    super.setDecoded(bytes)
    this.reservation?.end()
  }

  releaseContent () {
    this.forgetClient?.()
    super.releaseContent()
  }

  countDrained (bytes) {
    this.deadline?.countDrained(bytes)
  }

  static end (exchange) {
    exchange.releaseGuards()
    Exchange.end(exchange)
  }
}

/**
 * Reads as `collect` does, and may be ended by a guard.
 *
 * @param {import('../core/body/collect').Collect} collect
 * @returns {import('../core/body/collect').Collect}
 */
const guardCollect = (collect) => function collectGuarded (exchange, done, codedLength) {
  const end = collect(exchange, (...results) => {
    exchange.endStep()
    done(...results)
  }, codedLength)
  if (end !== undefined) exchange.beginStep(end)
}
