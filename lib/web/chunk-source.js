'use strict'

/**
 * Gives the chunks of a body one by one, each when it is asked for, to callbacks:
 * a promise for each chunk, in each step that it goes through, would take longer
 * than all else of a small body.
 */
class ChunkSource {
  constructor () {
    this.onChunk = null // of what waits
    this.onError = null
  }

  get isAwaited () {
    return this.onChunk !== null
  }

  /**
   * To be overridden: calls one of these, once, maybe at once.
   *
   * @param {(chunk: Uint8Array | null) => void} onChunk gets null at the end; may read again
   * @param {(error: unknown) => void} onError
   */
  read (onChunk, onError) {
    this.onChunk = onChunk
    this.onError = onError
  }

  /** @returns {Promise<Uint8Array | null>} */
  pull () {
    return new Promise((resolve, reject) => this.read(resolve, reject))
  }

  /** @param {Uint8Array | null} chunk */
  give (chunk) {
    const { onChunk, onError } = this
    this.onChunk = null
    this.onError = null
    try {
      onChunk(chunk)
    } catch (error) { // there is no memory for it; thrown out of an event, this would end the process
      onError(error)
    }
  }

  /** Does nothing if nothing waits. */
  fail (error) {
    const { onError } = this
    this.onChunk = null
    this.onError = null
    onError?.(error)
  }
}

module.exports = ChunkSource
