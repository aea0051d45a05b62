'use strict'

const errors = require('../errors')

/** Most sources never keep a chunk, and a list for each takes time. */
const NONE = Object.freeze([])

const MOST_GIVEN = 1024 // chunks that were given, before the list is cut

/**
 * Gives the bytes of one body chunk by chunk, each when it is asked for. By
 * callbacks: a promise for each chunk, in each source that it goes through,
 * would take longer than all else of a small body.
 *
 * The contract, which this class keeps for its subclasses:
 * - From above come `read` (`pull`, `drain`), `unread` and `stop`. Each read is answered once: by a chunk, by null at
 *   the end, or by an error. One read waits at a time; another one meanwhile gets an error.
 * - From below come `give` and `end`, at any time and in any order, as streams emit events after they were destroyed.
 *   What comes while nobody waits is kept for the next read, and comes before the end or the error that follows it.
 * - Once a source is over (it has ended, failed, or was stopped), nothing from below counts. Later reads get the
 *   outcome.
 * - A source around another one takes its read back when it is over (`unread`), and leaves that one readable: the code
 *   that has opened a body drains it.
 *
 * A subclass overrides the three hooks at the end.
 */
class Source {
  /** @returns {Source} of a body that is there */
  static of (bytes) {
    const source = new Source()
    source.give(bytes)
    source.end()
    return source
  }

  constructor () {
    this.received = 0 // bytes that came from below
    this.isOver = false // nothing more comes from below
    this.fault = null // why it is over; null at the end, and if it was stopped without a reason
    this.isStopped = false // whether nobody reads it any more
    this.onChunk = null // of the read that waits
    this.onError = null
    this.queue = NONE // chunks that came while nobody waited; empty if none is left
    this.given = 0 // chunks of the queue that were given: to shift a long array takes long
    this.isAsked = false // whether `ask` was called, and nothing has come since
    // Whether `serve` runs. It answers a read from within a callback when that returns: else the stack would grow.
    this.isServing = false
  }

  /**
   * @param {(chunk: Uint8Array | null) => void} onChunk gets null at the end; may be called at once, and may read again
   * @param {(error: unknown) => void} onError gets what `onChunk` throws as well
   */
  read (onChunk, onError) {
    if (this.onChunk !== null) return onError(new Error('a body is read by two readers'))
    this.onChunk = onChunk
    this.onError = onError
    if (!this.isServing) this.serve()
  }

  /** @returns {Promise<Uint8Array | null>} */
  pull () {
    return new Promise((resolve, reject) => this.read(resolve, reject))
  }

  /** Reads off the rest, up to `limit` bytes. */
  async drain (limit) {
    try {
      for (let chunk; (chunk = await this.pull()) !== null;) if ((limit -= chunk.length) < 0) return
    } catch {} // the client is gone, or the time is over
  }

  /** Takes back the read that waits: its reader is over. */
  unread () {
    this.onChunk = null
    this.onError = null
  }

  /** Nothing more is wanted. A read that waits gets the fault, or null, as at the end of a body. */
  stop (fault = null) {
    this.isStopped = true
    if (this.queue.length > 0) this.fault ??= fault // as its chunks are lost
    this.queue = NONE
    if (!this.isOver) this.end(fault)
  }

  /** @param {Uint8Array} chunk */
  give (chunk) {
    if (this.isOver) return
    this.isAsked = false
    this.received += chunk.length
    if (this.onChunk !== null && this.queue.length === 0 && !this.isServing) return this.serve(chunk)
    if (chunk.length > 0) this.keep(chunk)
    if (this.onChunk === null) this.pause()
  }

  keep (chunk) {
    if (this.queue === NONE) this.queue = []
    this.queue.push(chunk)
  }

  /** @param {unknown} [fault] null at the end */
  end (fault = null) {
    if (this.isOver) return
    this.isOver = true
    this.fault = fault
    this.release()
    if (this.onChunk !== null && !this.isServing) this.serve()
  }

  /**
   * Answers the read that waits, and those that follow from within its callbacks. No methods but these: a small body
   * is read before V8 has optimized anything, and each call counts then.
   *
   * @param {Uint8Array} [chunk] for the first of them; by default what is kept, or what `ask` brings
   */
  serve (chunk) {
    this.isServing = true
    try {
      if (chunk !== undefined) this.tell(chunk)
      while (this.onChunk !== null) {
        if (this.queue.length > 0) this.tell(this.shift())
        else if (this.isOver) this.tell(null)
        else if (this.isAsked) break
        else {
          this.isAsked = true
          this.ask()
        }
      }
    } finally {
      this.isServing = false
    }
    if (this.onChunk === null && !this.isOver && !this.isAsked) this.pause()
  }

  /** @returns {Uint8Array | null} null if other code has taken the memory of what was kept */
  shift () {
    const chunk = this.queue[this.given]
    this.queue[this.given++] = null // not kept any longer
    if (this.given === this.queue.length || this.given === MOST_GIVEN) {
      this.queue = this.queue.slice(this.given)
      this.given = 0
    }
    if (chunk.length > 0) return chunk
    this.stop(errors.notReadable())
    this.fault ??= errors.notReadable() // it has ended, so that `stop` has set none
    return null
  }

  /** @param {Uint8Array | null} chunk null for the outcome */
  tell (chunk) {
    const { fault, onChunk, onError } = this
    this.onChunk = null
    this.onError = null
    if (chunk === null && fault !== null) return onError(fault)
    try {
      onChunk(chunk)
    } catch (error) { // such as of no memory: thrown out of an event, it would end the process
      if (this.isStopped) throw error // the last chunk has led to `next`, which has thrown it
      onError(error)
    }
  }

  /** Hook: somebody waits. Once for each chunk, or for the outcome, that comes. */
  ask () {}

  /** Hook: a chunk has come, and nobody waits for another one. */
  pause () {}

  /** Hook: the source is over. Lets go of what is below; once. */
  release () {}
}

module.exports = Source
