'use strict'

const Exchange = require('../body/exchange')

/** An exchange that tells its guard what happens to the body. */
class GuardedExchange extends Exchange {
  constructor (parts) {
    super(parts)
    this.guard = parts.parser.createGuard(this)
  }

  receive (bytes, limit) {
    return super.receive(bytes, limit) ?? this.guard.hold(bytes)
  }

  hold (bytes) {
    return this.guard.hold(bytes)
  }

  complete (bytes) {
    super.complete(bytes)
    this.guard.completed()
  }

  discarded () {
    this.guard.discarded()
  }

  drained (bytes) {
    this.guard.drained(bytes)
  }

  ended () {
    this.guard.ended()
  }

  static succeed (exchange) {
    exchange.ended()
    Exchange.succeed(exchange)
  }
}

module.exports = GuardedExchange
