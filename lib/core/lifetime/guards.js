'use strict'

// Options `budget`, `timeout` and `minRate`: the guards of one reading, of a request of Node's or of a Request.

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
 * @property {() => void} holdBack reads nothing more until `resume`
 * @property {() => void} resume
 * @property {(error: Error, mustClose: boolean) => boolean} abort ends the reading; false if that is not possible now
 */

/**
 * @param {{ budget?: import('./budget').Budget | null, minRate?: number, timeout?: number }} settings
 * @param {Reading} reading
 * @returns {{ deadline: Deadline | null, reservation: object | null }}
 */
function createGuards ({ budget = null, minRate = 0, timeout = Infinity }, reading) {
  const hasDeadline = timeout !== Infinity || minRate !== 0
  return {
    reservation: budget === null ? null : budget.reserve(reading, hasDeadline),
    deadline: hasDeadline ? new Deadline(reading, timeout, minRate) : null
  }
}

module.exports = createGuards
