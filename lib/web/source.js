'use strict'

// The chunks of a Request's body, until it ends, its client leaves, or the time
// is over.

const { clearTimeout, setTimeout } = require('../core/compat')
const errors = require('../core/errors')
const { isCancelSafe } = require('./node')

const LONGEST = 2 ** 31 - 1 // ms that a timer can take

/** Reads one body, and alone sees its lock, its signal and its timer. */
class Source {
  /** @param {number | null} length declared bytes, if they are the content's */
  constructor ({ body, signal }, length, timeout) {
    this.reader = body.getReader()
    this.signal = signal
    this.received = 0 // bytes
    this.isEnded = false
    this.fault = null // why nothing more is read
    this.timer = null
    this.onAbort = () => this.interrupt(errors.aborted(length, this.received))
    signal?.addEventListener('abort', this.onAbort)
    if (signal?.aborted) this.onAbort()
    if (timeout !== Infinity) this.schedule(performance.now() + timeout)
  }

  schedule (end) {
    this.timer = setTimeout(() => {
      if (performance.now() < end) this.schedule(end)
      else this.interrupt(errors.requestTimeout(this.received))
    }, Math.min(Math.max(end - performance.now(), 1), LONGEST))
  }

  /** Gives up; a read that waits rejects with the error. */
  interrupt (error) {
    this.fault = error
    this.release()
  }

  /** @returns {Promise<Uint8Array | null>} a chunk; null at the end */
  async read () {
    if (this.fault !== null) throw this.fault
    let result
    try {
      result = await this.reader.read()
    } catch (error) {
      throw this.fault ?? errors.unreadable(error)
    }
    if (this.fault !== null) throw this.fault
    const { done, value } = result
    this.isEnded = done
    if (done) return null
    if (!ArrayBuffer.isView(value)) throw errors.encodingSet() // strings
    this.received += value.byteLength
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
  }

  /**
   * Reads off the rest, up to `limit` bytes: servers close the connection if a
   * body is cancelled.
   */
  async discard (limit, declared) {
    if (this.isEnded || declared > limit) return
    try {
      for (let left = limit; left >= 0;) {
        const chunk = await this.read()
        if (chunk === null) return
        left -= chunk.length
      }
    } catch {} // the client is gone, or the time is over
  }

  /** Leaves no listener, no timer and no lock. */
  close () {
    if (this.timer !== null) clearTimeout(this.timer)
    this.signal?.removeEventListener('abort', this.onAbort)
    if (this.fault === null) this.release()
  }

  release () {
    if (!this.isEnded && isCancelSafe()) this.reader.cancel().catch(ignore)
    this.reader.releaseLock()
  }
}

/** What a body says of its cancelling is of no use: it may have failed before. */
function ignore () {}

module.exports = Source
