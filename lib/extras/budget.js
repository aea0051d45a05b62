'use strict'

// Option `budget`: a bound for the memory of all bodies in flight together.

const { clearTimeout, setTimeout } = require('../core/compat')
const errors = require('../core/errors')
const { readBytes } = require('../core/options')

class Budget {
  /**
   * @param {number} bytes
   * @param {number} wait ms that a request over the budget waits for room
   */
  constructor (bytes, wait) {
    this.bytes = bytes
    this.wait = wait
    this.used = 0 // bytes that bodies in flight hold, received or decoded
    this.holding = new Set() // shares in the order in which they began
    this.waiting = new Set() // those that are paused
  }

  /** @returns {Share} the observer of an exchange */
  observe (exchange) {
    return new Share(this, exchange)
  }

  /**
   * The share that began first may go on over the budget, up to the whole
   * budget for itself: if all of them waited for each other, none would end.
   */
  allows (share) {
    const [first] = this.holding
    return this.used <= this.bytes || (share === first && share.bytes <= this.bytes)
  }

  /** A request holds a chunk before it can be paused: so those that wait hold at most as much again. */
  get isCrowded () {
    return this.used > this.bytes * 2
  }

  release (share) {
    this.used -= share.bytes
    this.holding.delete(share)
    this.wake()
  }

  wake () {
    for (const waiting of this.waiting) {
      if (this.allows(waiting)) waiting.resume()
    }
  }
}

/** What one exchange holds of a budget. */
class Share {
  constructor (budget, exchange) {
    this.budget = budget
    this.exchange = exchange
    this.bytes = 0
    this.timer = null
  }

  held (bytes) {
    const { budget, exchange } = this
    this.bytes += bytes
    budget.used += bytes
    budget.holding.add(this)
    if (bytes < 0) budget.wake()
    if (bytes < 0 || budget.allows(this)) return null
    if (budget.wait === 0 || budget.isCrowded) return this.refusal()
    if (!budget.waiting.has(this)) {
      budget.waiting.add(this)
      this.timer = setTimeout(() => exchange.giveUp(this.refusal(), false), budget.wait)
    }
    exchange.req.pause() // again, if a store has resumed it
    return null
  }

  resume () {
    this.stopWaiting()
    this.exchange.req.resume()
  }

  refusal () {
    const retryAfter = Math.ceil(this.budget.wait / 1000) || 1 // s; RFC 9110, section 10.2.3
    return errors.create(503, 'too many bodies at once', {
      expose: true,
      headers: { 'Retry-After': String(retryAfter) }, // sent by Express's error handler
      received: this.exchange.received,
      type: 'budget.exceeded'
    })
  }

  stopWaiting () {
    clearTimeout(this.timer)
    this.budget.waiting.delete(this)
  }

  drained () {}

  /** A body that has arrived whole although it was paused: its end was on its way. */
  completed () {
    if (this.budget.waiting.has(this)) this.resume()
  }

  ended () {
    this.stopWaiting()
    this.budget.release(this)
    this.bytes = 0
  }
}

/**
 * @param {object} options
 * @param {number | string} options.bytes most bytes that the bodies in flight
 *   of all parsers with this budget hold together, such as `'256mb'`
 * @param {number} [options.wait=0] ms that a request over it waits, paused,
 *   before it is 503 `budget.exceeded`; those that wait hold at most as many
 *   bytes again
 * @returns {Budget} for the option `budget` of any number of parsers; its
 *   field `used` tells how many bytes are held now
 * @throws {TypeError} for an option that is wrong
 */
function createBudget (options) {
  const bytes = readBytes('bytes', options?.bytes, NaN)
  if (!(bytes > 0)) throw new TypeError("option bytes must be a positive number of bytes, or a string such as '256mb'")
  const wait = options.wait ?? 0
  if (typeof wait !== 'number' || !(wait >= 0) || wait > 2 ** 31 - 1) throw new TypeError('option wait must be zero or a positive number of milliseconds')
  return new Budget(bytes, wait)
}

module.exports = { Budget, createBudget }
