'use strict'

const GuardedBytes = require('./guarded-bytes')

/**
 * What gets the content of a body chunk by chunk: a form.
 *
 * @typedef {object} Sink
 * @property {(chunk: Buffer) => void} write
 * @property {() => void} end
 * @property {(error: unknown, done: () => void) => void} stop the content cannot be read to its end
 * @property {boolean} isBlocked whether it takes nothing more for now
 * @property {number} bufferedBytes in memory
 *
 * @typedef {Pick<Feed, 'resume' | 'end' | 'fail'>} Control what a sink tells its feed
 * @typedef {(exchange: import('./exchange'), feed: Control) => Sink} CreateSink may throw
 */

/** For bytes that no guard counts. */
const UNGUARDED = { beginWait () {}, endWait () {}, reserve: () => null }

/**
 * Pushes the chunks of a source into a sink, and reads nothing while the sink is
 * blocked. By callbacks, as a form that pulled would need a promise for each chunk.
 */
class Feed extends GuardedBytes {
  /**
   * @param {Pick<import('./exchange'), 'beginWait' | 'endWait' | 'reserve'>} guards
   * @param {(error: unknown) => void} onOver once: null, or why the sink has not got all; nothing is read any more
   */
  constructor (guards, onOver) {
    super(guards)
    this.onOver = onOver
    this.sink = null
    this.source = null
    this.isReading = false
    this.isEnded = false // whether the source has
    this.isDone = false
    this.take = this.take.bind(this)
    this.fail = this.fail.bind(this)
  }

  /**
   * @param {Sink} sink
   * @param {import('../source/source')} source
   */
  begin (sink, source) {
    this.sink = sink
    this.source = source
    this.read()
  }

  read () {
    if (this.isReading || this.isEnded) return
    this.isReading = true
    this.source.read(this.take, this.fail)
  }

  /** @param {Buffer | null} chunk */
  take (chunk) {
    this.isReading = false
    if (this.isDone) return
    if (chunk === null) return this.endSink()
    const { sink } = this
    const error = this.reserve(chunk.length)
    if (error !== null) return this.fail(error)
    sink.write(chunk)
    if (this.isDone) return
    this.reserve(sink.bufferedBytes - this.reserved)
    if (sink.isBlocked) this.beginWait()
    else this.read()
  }

  endSink () {
    this.isEnded = true
    this.sink.end()
  }

  /** The sink takes more. */
  resume () {
    const error = this.reserve(this.sink.bufferedBytes - this.reserved) // it may take more than it was given
    if (error !== null) return this.fail(error)
    this.endWait()
    this.read()
  }

  /** @param {unknown} error why the content cannot be read to its end */
  fail (error) {
    this.end(error)
  }

  /** @param {unknown} [error] null if the sink has taken everything */
  end (error = null) {
    if (this.isDone) return
    this.isDone = true
    this.endWait() // `minRate` applies to the rest that is drained, too
    this.source?.stop()
    this.onOver(error)
  }
}

module.exports = Feed
module.exports.UNGUARDED = UNGUARDED
