'use strict'

const Exchange = require('../body/exchange')

/** An exchange that tells its part of the budget, and its deadline, what happens to the body. */
class GuardedExchange extends Exchange {
  constructor (parts) {
    super(parts)
    const { deadline, reservation } = parts.parser.createGuards(this)
    this.reservation = reservation
    this.deadline = deadline
  }

  receive (bytes, limit) {
    return super.receive(bytes, limit) ?? this.hold(bytes)
  }

  hold (bytes) {
    return this.reservation?.hold(bytes) ?? null
  }

  /** The deadline goes on: what `verify` and `parse` promise has to come in time as well. */
  complete (bytes) {
    super.complete(bytes)
    this.reservation?.completed()
  }

  /** The deadline goes on while the rest is drained. */
  discarded () {
    this.reservation?.release()
  }

  drained (bytes) {
    this.deadline?.drained(bytes)
  }

  ended () {
    this.reservation?.release()
    this.deadline?.ended()
  }

  static succeed (exchange) {
    exchange.ended()
    Exchange.succeed(exchange)
  }
}

module.exports = GuardedExchange
