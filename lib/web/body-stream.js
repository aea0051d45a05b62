'use strict'

// The chunks of a Request's body, until it ends or is interrupted.

const errors = require('../core/errors')
const { isOfClient } = require('../core/platform')
const ChunkSource = require('./chunk-source')
const { isCancelSafe } = require('./node')

/** Reads one body, and alone sees its lock. */
class BodyStream extends ChunkSource {
  /**
   * @param {ReadableStream | null} body null if there is none, or none that can be read
   * @param {import('./interruption')} interruption closes the body at once, as a loop may never ask for more
   */
  constructor (body, interruption) {
    super()
    this.isEnded = !body
    this.reader = body?.getReader()
    this.isReading = false // whether the reader is to give a chunk
    this.interruption = interruption
    this.take = this.take.bind(this)
    this.refuse = this.refuse.bind(this)
    interruption.call((fault) => {
      this.close()
      this.fail(fault)
    })
    interruption.listenLate()
  }

  /** A read while a chunk is awaited takes the place of the read before. */
  read (onChunk, onError) {
    const { fault } = this.interruption
    if (fault !== null) return onError(fault)
    if (this.isEnded) return onChunk(null)
    super.read(onChunk, onError)
    if (this.isReading) return
    this.isReading = true
    this.reader.read().then(this.take, this.refuse)
  }

  /** What the reader gives. After an interruption, nothing waits for it. */
  take ({ done, value }) {
    this.isReading = false
    if (!this.isAwaited) return
    this.isEnded = done
    if (done) return this.end()
    if (!ArrayBuffer.isView(value)) return this.fail(errors.encodingSet()) // strings
    const bytes = bytesOf(value)
    if (bytes === null) return this.fail(errors.notReadable())
    this.interruption.received += bytes.length
    this.give(bytes)
  }

  end () {
    this.interruption.end()
    if (this.isAwaited) this.give(null)
  }

  /** What the reader is rejected with. */
  refuse (error) {
    this.isReading = false
    if (!this.isAwaited) return
    const { interruption } = this
    interruption.listen() // the client may have left
    if (isOfClient(error)) interruption.abort()
    else this.fail(errors.unreadable(error))
  }

  /**
   * Reads off the rest, up to `limit` bytes: servers close the connection if a
   * body is cancelled.
   */
  async discard (limit, declared) {
    if (this.isEnded || declared > limit) return
    try {
      for (let chunk; (chunk = await this.pull()) !== null;) if ((limit -= chunk.length) < 0) return
    } catch {} // the client is gone, or the time is over
  }

  /**
   * Leaves no lock of a body that has not ended. At the end, nobody can read it
   * again, and to release the lock would take as long as a small body: it makes an error.
   */
  close () {
    if (this.isEnded) return
    this.isEnded = true
    if (isCancelSafe()) this.reader.cancel().catch(ignore)
    this.reader.releaseLock()
  }
}

/**
 * Other code may have taken the memory of a chunk, as a transfer to a worker does.
 *
 * @returns {Uint8Array | null} null if it has
 */
function bytesOf (chunk) {
  if (chunk.byteLength > 0 && chunk instanceof Uint8Array) return chunk
  const { buffer, byteLength, byteOffset } = chunk
  try {
    return new Uint8Array(buffer, byteOffset, byteLength)
  } catch {
    return null
  }
}

/** `cancel()` is rejected if the body has failed before; the request is over either way. */
function ignore () {}

module.exports = BodyStream
