'use strict'

// The chunks of a Request's body, until it ends or is interrupted.

const errors = require('../core/errors')
const { isOfClient } = require('../core/platform')
const Source = require('../core/source/source')
const { closeConnection, isCancelSafe } = require('./node')

/** Reads one body. No other class takes or releases the lock of its stream. */
class BodyStream extends Source {
  /**
   * @param {ReadableStream | null} body null if there is none, or none that can be read
   * @param {import('./interruption')} interruption closes the body at once, as a loop may never ask for more
   * @param {Request | null} [request] nobody reads what this leaves of its body
   */
  constructor (body, interruption, request = null) {
    super()
    this.request = request
    this.reader = body?.getReader() ?? null
    this.interruption = interruption
    this.take = this.take.bind(this)
    this.refuse = this.refuse.bind(this)
    if (!body) this.end()
    interruption.source = this
    interruption.listenLate()
  }

  ask () {
    this.reader.read().then(this.take, this.refuse)
  }

  /** What the reader gives. */
  take ({ done, value }) {
    if (done) return this.endLocked()
    if (typeof value === 'string') return this.end(errors.encodingSet())
    if (!ArrayBuffer.isView(value)) return this.end(errors.notBytes(value))
    const bytes = bytesOf(value)
    if (bytes === null) this.end(errors.notReadable())
    else this.give(bytes)
  }

  /**
   * Leaves the lock of a body that has ended: nobody can read it again, and to
   * release the lock would take as long as a small body, as it makes an error.
   */
  endLocked () {
    if (this.isOver) return
    this.reader = null
    this.interruption.end()
    this.end()
  }

  /** What the reader is rejected with, as it is when its lock is released. */
  refuse (error) {
    if (this.isOver) return
    const { interruption } = this
    interruption.listen() // the client may have left
    if (isOfClient(error)) interruption.failStep()
    else this.end(errors.unreadable(error))
  }

  /** Leaves no lock of a body that has not ended. */
  release () {
    if (this.reader === null) return
    if (this.request !== null) closeConnection(this.request)
    if (isCancelSafe()) this.reader.cancel().catch(ignore)
    this.reader.releaseLock()
    this.reader = null
  }
}

/**
 * Other code may have taken the memory of a chunk, as a transfer to a worker does. Resizable memory is copied: it may
 * shrink, and zlib of Bun does not take it.
 *
 * @returns {Uint8Array | null} null if it is gone
 */
function bytesOf (chunk) {
  try {
    const { buffer, byteLength, byteOffset } = chunk // of a DataView, they throw if its memory is gone
    if (byteLength > 0 && chunk instanceof Uint8Array && !buffer.resizable) return chunk
    if (byteLength === 0) chunk.at?.(0) // throws if its memory is gone, or has shrunk
    const bytes = new Uint8Array(buffer, byteOffset, byteLength)
    return buffer.resizable ? new Uint8Array(bytes) : bytes
  } catch {
    return null
  }
}

/** `cancel()` is rejected if the body has failed before; the request is over either way. */
function ignore () {}

module.exports = BodyStream
