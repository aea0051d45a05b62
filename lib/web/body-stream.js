'use strict'

// The chunks of a Request's body, until it ends or is interrupted.

const errors = require('../errors')
const { isCancelSafe } = require('./node')

/** Reads one body, and alone sees its lock. */
class BodyStream {
  /** @param {import('./interruption')} interruption closes the body at once, as a loop may never ask for more */
  constructor ({ body, bodyUsed }, interruption) {
    this.isEnded = !body || bodyUsed || body.locked
    this.reader = this.isEnded ? null : body.getReader()
    this.interruption = interruption
    interruption.callbacks.add(() => this.close())
  }

  /** @returns {Promise<Uint8Array | null>} a chunk; null at the end */
  async read () {
    const { interruption } = this
    interruption.check()
    if (this.isEnded) return null
    let result
    try {
      result = await interruption.wait(this.reader.read())
    } catch (error) {
      throw interruption.fault ?? errors.unreadable(error)
    }
    const { done, value } = result
    this.isEnded = done
    if (done) return null
    if (!ArrayBuffer.isView(value)) throw errors.encodingSet() // strings
    interruption.received += value.byteLength
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
  }

  async * [Symbol.asyncIterator] () {
    for (let chunk; (chunk = await this.read()) !== null;) yield chunk
  }

  /**
   * Reads off the rest, up to `limit` bytes: servers close the connection if a
   * body is cancelled.
   */
  async discard (limit, declared) {
    if (this.isEnded || declared > limit) return
    try {
      for await (const { length } of this) if ((limit -= length) < 0) return
    } catch {} // the client is gone, or the time is over
  }

  /** Leaves no lock. */
  close () {
    if (!this.isEnded && isCancelSafe()) this.reader.cancel().catch(ignore)
    this.isEnded = true
    this.reader?.releaseLock()
  }
}

/** What a body says of its cancelling is of no use: it may have failed before. */
function ignore () {}

module.exports = BodyStream
