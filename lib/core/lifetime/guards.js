'use strict'

// Options `budget`, `timeout` and `minRate`: the guards of one reading, of a request of Node's or of a Request.

const { performance } = require('../platform')
const Deadline = require('./deadline')

/**
 * What guards need of a reading.
 *
 * @typedef {object} Reading
 * @property {number} received bytes so far, before content codings are undone
 * @property {boolean} awaitsBody whether the client has to send more
 * @property {boolean} isWhole whether all has arrived, be it read or not
 * @property {boolean} [isFlowing] whether code of the app's has resumed what was held back, if it can
 * @property {number} waited ms that the client had to wait, without the current wait
 * @property {number | null} waitsSince when the current wait began, by performance.now(); null without one
 * @property {() => void} beginWait
 * @property {() => void} endWait
 * @property {() => void} pause reads nothing more until `resume`
 * @property {() => void} resume
 * @property {(error: Error, mustClose: boolean) => boolean} failStep ends the reading; false if it cannot be ended now
 */

/**
 * @param {{ budget?: import('./budget').Budget | null, minRate?: number, timeout?: number }} settings
 * @param {Reading} reading
 * @returns {{ deadline: Deadline | null, reservation: object | null }}
 */
function createGuards ({ budget = null, minRate = 0, timeout = Infinity }, reading) {
  const hasDeadline = timeout !== Infinity || minRate !== 0
  return {
    reservation: budget === null ? null : budget.createReservation(reading, hasDeadline),
    deadline: hasDeadline ? new Deadline(reading, timeout, minRate) : null
  }
}

/**
 * What a reading tells its guards, be it an exchange or an interruption of ../../web.
 *
 * @template {new (...args: any[]) => object} Class
 * @param {Class} Base
 */
const guarded = (Base) => class extends Base {
  waits = 0 // what the client has to wait for now: a store or a loop of the app, or the budget
  waited = 0
  waitsSince = null
  deadline = null
  reservation = null // what it holds of the budget; null again once the content is not needed any more

  startGuards ({ deadline, reservation }) {
    this.deadline = deadline
    this.reservation = reservation
  }

  /** Counts nested waits; the clock starts at the first. */
  beginWait () {
    if (++this.waits === 1) this.waitsSince = performance.now()
  }

  endWait () {
    if (--this.waits > 0) return
    this.waited += performance.now() - this.waitsSince
    this.waitsSince = null
  }

  /** @returns {Error | null} why no more may be held. See `reserve` of ../body/exchange.js */
  reserve (bytes) {
    return this.reservation?.reserve(bytes) ?? null
  }

  /** The content is not needed any more. The deadline goes on while the rest is drained. */
  releaseContent () {
    this.reservation?.release()
    this.reservation = null
  }

  releaseGuards () {
    this.releaseContent()
    this.deadline?.release()
  }
}

module.exports = { createGuards, guarded }
