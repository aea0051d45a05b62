'use strict'

/** Counts the bytes of a form against a limit that is enforced while its parts are read. */
class Received {
  /**
   * @param {number} limit bytes
   * @param {boolean} [isDerived] it never names the error where a limit of a part does
   */
  constructor (limit, isDerived = true) {
    this.limit = limit
    this.isDerived = isDerived
    this.bytes = 0
    this.isPast = false // the limit, within a part that has one of its own: nothing more is kept
  }

  add (bytes) {
    this.bytes += bytes
  }

  /** @param {number} waiting bytes that are not scanned yet */
  isOver (waiting) {
    return this.bytes - waiting > this.limit
  }

  /** Of an error. */
  get counts () {
    return { limit: this.limit, received: this.bytes }
  }
}

module.exports = Received
