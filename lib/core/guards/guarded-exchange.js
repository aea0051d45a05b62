'use strict'

const Exchange = require('../body/exchange')
const { beginWait, endWait } = require('../lifetime/waits')
const onceClientLeaves = require('../request/client')
const { hasArrived } = require('../request/facts')

/** An exchange that tells its part of the budget, and its deadline, what happens to the body. */
class GuardedExchange extends Exchange {
  constructor (parts) {
    super(parts)
    this.waits = 0
    this.waited = 0
    this.waitsSince = null
    const { deadline, reservation } = parts.parser.createGuards(this)
    this.reservation = reservation
    this.deadline = deadline
    // Once the app has answered, Node does not tell a request that its client
    // leaves: it would hold its bytes for ever.
    const { req } = this
    this.forgetClient = reservation === null
      ? null
      : onceClientLeaves(req, () => this.leave(), () => hasArrived(req, this.received))
  }

  beginWait () {
    beginWait(this)
  }

  endWait () {
    endWait(this)
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

  holdBack () {
    this.req.pause?.()
  }

  resume () {
    this.req.resume?.()
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
    this.forgetClient?.()
    this.reservation?.release()
  }

  drained (bytes) {
    this.deadline?.drained(bytes)
  }

  ended () {
    this.discarded()
    this.deadline?.ended()
  }

  static succeed (exchange) {
    exchange.ended()
    Exchange.succeed(exchange)
  }
}

module.exports = GuardedExchange
