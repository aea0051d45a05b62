'use strict'

// The chunks of a Request's body, until it ends or is interrupted.

const errors = require('../core/errors')
const { isCancelSafe } = require('./node')

/** Reads one body, and alone sees its lock. */
class BodyStream {
  /**
   * @param {ReadableStream | null} body null if there is none, or none that can be read
   * @param {import('./interruption')} interruption closes the body at once, as a loop may never ask for more
   */
  constructor (body, interruption) {
    this.isEnded = !body
    this.reader = body?.getReader()
    this.pending = null // a promise of the chunk that is being read
    this.interruption = interruption
    interruption.call(() => this.close())
    interruption.listen()
  }

  /** Goes on with the next chunk, however often it is begun. Loops that wait at the same time get the same one. */
  async * [Symbol.asyncIterator] () {
    while (true) {
      this.interruption.check()
      if (this.isEnded) return
      const chunk = await (this.pending ??= this.read())
      if (chunk === null) return
      yield chunk
    }
  }

  /** @returns {Promise<Uint8Array | null>} null at the end */
  async read () {
    const { interruption, reader } = this
    let result
    try {
      result = await interruption.wait(reader.read())
    } catch (error) {
      throw interruption.fault ?? errors.unreadable(error)
    } finally {
      this.pending = null
    }
    const { done, value } = result
    this.isEnded = done
    if (done) return null
    if (!ArrayBuffer.isView(value)) throw errors.encodingSet() // strings
    interruption.received += value.byteLength
    return bytesOf(value)
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

/** Other code may have taken the memory of a chunk, as a transfer to a worker does. */
function bytesOf ({ buffer, byteLength, byteOffset }) {
  try {
    return new Uint8Array(buffer, byteOffset, byteLength)
  } catch {
    throw errors.notReadable()
  }
}

/** `cancel()` is rejected if the body has failed before; the request is over either way. */
function ignore () {}

module.exports = BodyStream
