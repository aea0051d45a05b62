'use strict'

/** Tells guards what a consumer of a body holds in memory, and when the client has to wait for it. */
class GuardedBytes {
  /** @param {Pick<import('./exchange'), 'beginWait' | 'endWait' | 'hold'>} guards */
  constructor (guards) {
    this.guards = guards
    this.held = 0 // bytes in memory that the guards count
    this.isWaiting = false // the client
  }

  /** @returns {Error | null} why no more bytes may be held in memory */
  hold (change) {
    const error = this.guards.hold(change)
    if (error === null) this.held += change // what is refused is not counted
    return error
  }

  beginWait () {
    if (!this.isWaiting) this.guards.beginWait()
    this.isWaiting = true
  }

  endWait () {
    if (this.isWaiting) this.guards.endWait()
    this.isWaiting = false
  }
}

module.exports = GuardedBytes
