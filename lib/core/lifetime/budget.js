'use strict'

// Option `budget`: a bound for the memory of all bodies in flight together.

const { MAX_DELAY, nextTick } = require('../platform')
const errors = require('../errors')
const { optional, readSize, warnOfUnknown } = require('../checks')
const Timer = require('./timer')

const STALL = 5000 // ms between two checks for stalled clients, while others are refused or wait
const NAMES = new Set(['bytes', 'wait'])
const SLOW = 1024 * STALL / 1000 // bytes in that time: 1 KiB per second

class Budget {
  /**
   * @param {number} bytes
   * @param {number} wait ms that a request over the budget waits for room
   */
  constructor (bytes, wait) {
    this.bytes = bytes
    this.wait = wait
    this.used = 0 // bytes that bodies in flight hold, received or decoded
    this.holding = new Set() // reservations in the order in which they began
    this.waiting = new Set() // those that are paused
    this.isContended = false // whether a request was over the budget since the last check
    this.timer = null
  }

  /**
   * @param {import('./guards').Reading} reading
   * @param {boolean} hasDeadline by `timeout` or `minRate`
   * @returns {Reservation} what it holds of the budget
   */
  createReservation (reading, hasDeadline) {
    return new Reservation(this, reading, hasDeadline)
  }

  /**
   * The oldest reservation may hold as much as the whole budget, whatever others
   * hold: if all of them waited for each other, none would end.
   */
  allows (reservation, bytes) {
    const held = reservation === this.oldest(reservation) ? reservation.bytes : this.used
    return held + bytes <= this.bytes
  }

  /**
   * Whether a chunk that is not allowed is refused as well. A request has a chunk in
   * memory before it can be paused, so requests may exceed the budget for a while. But
   * all reservations but the oldest have at most the budget together: twice it in all.
   */
  isOverHardLimit (reservation, bytes) {
    const oldest = this.oldest(reservation)
    return reservation === oldest || this.used - oldest.bytes + bytes > this.bytes
  }

  /** The reservation that began first: this one if there is no other. */
  oldest (reservation) {
    const [oldest = reservation] = this.holding
    return oldest
  }

  release (reservation) {
    this.used -= reservation.bytes
    this.holding.delete(reservation)
    this.wake()
    if (this.holding.size > 0) return
    this.timer?.cancel()
    this.timer = null
  }

  wake () {
    const oldest = this.oldest()
    if (this.waiting.has(oldest)) oldest.resume()
    for (const waiting of this.waiting) {
      if (this.used > this.bytes) return
      waiting.resume()
    }
  }

  /** While there is no room for others, ends those whose client has stalled. */
  watchStalled () {
    if (this.timer === null) this.checkLater()
    this.isContended = true
  }

  checkLater () {
    this.isContended = false
    for (const reservation of this.holding) reservation.receivedBefore = reservation.reading.received
    this.timer = new Timer(STALL, () => this.failStalled())
    this.timer.unref()
  }

  failStalled () {
    this.timer = null
    for (const reservation of this.holding) {
      try {
        reservation.endIfStalled()
      } catch (error) { // thrown by `next`: look at the others all the same
        nextTick(() => { throw error })
      }
    }
    if (this.isContended || this.waiting.size > 0) this.checkLater()
  }
}

/** What one reading holds of a budget. */
class Reservation {
  constructor (budget, reading, hasDeadline) {
    this.budget = budget
    this.reading = reading
    this.hasDeadline = hasDeadline
    this.bytes = 0
    this.waited = 0 // ms that its client had waited at the last check
    this.receivedBefore = -SLOW // bytes received at the last check; the body has begun since
    this.timer = null
  }

  /**
   * For a body that comes in one piece: nothing tells how much of it has come.
   *
   * @param {number} bytes few enough that a client which sends them in more time than between two checks has stalled
   * @returns {boolean} false if this has to be read by chunks, and maybe to wait
   */
  reserveWhole (bytes) {
    if (bytes > SLOW || !this.budget.allows(this, bytes)) return false
    this.add(bytes)
    return true
  }

  /**
   * @param {number} bytes below 0: this many are held no more
   * @returns {Error | null} why no more may be held
   */
  reserve (bytes) {
    const { budget, reading } = this
    const isAllowed = bytes <= 0 || budget.allows(this, bytes)
    if (!isAllowed) {
      budget.watchStalled()
      if (budget.wait === 0 || budget.isOverHardLimit(this, bytes)) return this.refusal()
    }
    this.add(bytes)
    if (bytes < 0) budget.wake()
    if (isAllowed || reading.isWhole) return null // to pause what has arrived whole saves nothing
    if (!budget.waiting.has(this)) {
      budget.waiting.add(this)
      reading.beginWait()
      reading.pause()
      this.timer = new Timer(budget.wait, () => reading.failStep(this.refusal(), false))
    } else if (reading.isFlowing) { // a store has resumed it
      reading.pause()
    }
    return null
  }

  add (bytes) {
    this.bytes += bytes
    this.budget.used += bytes
    this.budget.holding.add(this)
  }

  resume () {
    this.stopWaiting()
    this.reading.resume()
  }

  endIfStalled () {
    const { hasDeadline, reading, receivedBefore, waited } = this
    const share = 1 - (reading.waited - waited) / STALL // of the time, in which the client could send
    this.waited = reading.waited
    if (reading.waitsSince !== null || share < 0.5) return
    if (hasDeadline || !reading.awaitsBody || reading.isWhole) return
    if (reading.received - receivedBefore >= SLOW * share) return
    reading.failStep(errors.requestTimeout(reading.received), true)
  }

  refusal () {
    const retryAfter = Math.ceil(this.budget.wait / 1000) || 1 // s; RFC 9110, section 10.2.3
    return errors.create(503, 'too many bodies at once', {
      expose: true,
      headers: { 'Retry-After': String(retryAfter) }, // sent by Express's error handler
      received: this.reading.received,
      type: 'budget.exceeded'
    })
  }

  stopWaiting () {
    this.timer?.cancel()
    if (this.budget.waiting.delete(this)) this.reading.endWait()
  }

  /** A body may end although it is paused, as its end was on its way. */
  end () {
    if (this.budget.waiting.has(this)) this.resume()
  }

  release () {
    this.stopWaiting()
    this.budget.release(this)
    this.bytes = 0
  }
}

const isDelay = (value) => typeof value === 'number' && value >= 0 && value <= MAX_DELAY
const readWait = optional(isDelay, 'zero or a positive number of milliseconds')

/** @type {import('../../..').BodyParser['createBudget']} */
function createBudget (options) { // see index.d.ts
  const bytes = readSize(options?.bytes, 'bytes', NaN)
  warnOfUnknown(options, NAMES)
  if (!(bytes > 0)) throw new TypeError("option bytes must be a positive number of bytes, or a string such as '256mb'")
  return new Budget(bytes, readWait(options.wait, 'wait', 0))
}

const checkBudget = optional((budget) => budget instanceof Budget, 'made by createBudget()')

// Tests give a Budget readings of their own.
module.exports = { Budget, checkBudget, createBudget }
