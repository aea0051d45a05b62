'use strict'

/**
 * Bytes that are copied together: a list of chunks would take much more memory,
 * if they are small. Needs nothing of Node.
 */
class Memory {
  constructor () {
    this.size = 0 // bytes that were appended
    this.bytes = new Uint8Array()
  }

  append (chunk) {
    const { bytes, size } = this
    this.size += chunk.length
    if (this.size > bytes.length) {
      this.bytes = new Uint8Array(this.size * 2)
      this.bytes.set(bytes)
    }
    this.bytes.set(chunk, size)
  }

  /** @returns {Uint8Array} a view of all of them */
  view () {
    return this.bytes.subarray(0, this.size)
  }
}

module.exports = Memory
