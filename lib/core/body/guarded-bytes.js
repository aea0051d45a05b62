'use strict'

/** Tells guards what a consumer of a body holds in memory, and when the client has to wait for it. */
class GuardedBytes {
  /** @param {Pick<import('./exchange'), 'beginWait' | 'endWait' | 'reserve'>} guards */
  constructor (guards) {
    this.guards = guards
    this.reserved = 0 // bytes in memory that the guards count
    this.isWaiting = false // whether the client has to wait
  }

  /** @returns {Error | null} why no more bytes may be held in memory */
  reserve (change) {
    const error = this.guards.reserve(change)
    if (error === null) this.reserved += change // what is refused is not counted
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
