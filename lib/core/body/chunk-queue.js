'use strict'

/** Chunks, or other items, that are written as they come, and pulled, each as a promise. Needs nothing of Node. */
class ChunkQueue {
  constructor () {
    this.chunks = []
    this.outcome = null // once no more chunks come: empty, or with an error
    this.wake = null // what waits for a chunk
  }

  /** Whether a chunk, or the end, is still to come. */
  get isEmpty () {
    return this.chunks.length === 0 && this.outcome === null
  }

  write (chunk) {
    this.chunks.push(chunk)
    this.wake?.()
  }

  /** @param {[] | [unknown]} error why no more chunks come. Only the first call counts. */
  end (...error) {
    this.outcome ??= error
    this.wake?.()
  }

  /** @returns {Promise<Uint8Array | null>} the next chunk; null at the end */
  async pull () {
    while (this.isEmpty) await new Promise((resolve) => { this.wake = resolve })
    if (this.chunks.length > 0) return this.chunks.shift()
    if (this.outcome.length > 0) throw this.outcome[0]
    return null
  }
}

module.exports = ChunkQueue
